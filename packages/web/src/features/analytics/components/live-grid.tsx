import { Children, type ReactNode, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { formatNumber } from '../../../lib/format.ts'

export const LIVE_GRID = 'grid grid-cols-1 gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3'

/** More would push everything else out of sight. */
const SHOWN_AT_FIRST = 6

/** The cards of what is on air: the first of them, until somebody asks for all. */
export function LiveGrid({ children }: { children: ReactNode }) {
  const [all, setAll] = useState(false)
  const cards = Children.toArray(children)
  return (
    <>
      <ul aria-label="Siaran yang berjalan" className={LIVE_GRID}>
        {all ? cards : cards.slice(0, SHOWN_AT_FIRST)}
      </ul>
      {cards.length > SHOWN_AT_FIRST && (
        <div className="mt-2 text-center">
          <Button look="quiet" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Tampilkan sedikit' : `Tampilkan semua (${formatNumber(cards.length)})`}
          </Button>
        </div>
      )}
    </>
  )
}
