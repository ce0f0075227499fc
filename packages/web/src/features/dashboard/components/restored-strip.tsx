import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import type { StreamRowData } from '../../broadcasts/api/active-streams.ts'
import { streamHistoryQuery } from '../../broadcasts/api/past-streams.ts'
import { keepAside, putAside } from '../put-aside.ts'
import { restoredWords, waitingRestored } from '../restored-broadcasts.ts'

/** Nobody looks into the history of a broadcast that should be on air: it is said where everybody looks. */
export function RestoredStrip({ active }: { active: readonly StreamRowData[] }) {
  const { data: ended } = useQuery({ ...streamHistoryQuery(), refetchOnMount: 'always' })
  const [aside, setAside] = useState(putAside)
  const all = ended ? waitingRestored(ended, active) : []
  const waiting = all.filter(({ streamId }) => !aside.includes(streamId))
  /** Not every broadcast of then is wanted back, and the history keeps them for long. */
  const hide = (): void => {
    const ids = all.map(({ streamId }) => streamId)
    keepAside(ids)
    setAside(ids)
  }
  if (waiting.length === 0) return null
  return (
    <aside
      aria-label="Siaran yang dipulihkan"
      className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-card border border-warn-line bg-warn-wash px-4 py-2.5"
    >
      <p className="flex min-w-0 flex-1 basis-72 items-start gap-2.5 text-sm font-medium text-pretty text-warn-ink">
        <RotateCw aria-hidden size={20} strokeWidth={1.75} className="shrink-0" />
        <span className="min-w-0 break-words">{restoredWords(waiting)}</span>
      </p>
      <span className="flex flex-wrap items-center gap-2">
        <Link to="/fitur/live?tab=live" className={buttonStyle('secondary', 'small')}>
          Buka Riwayat siaran
        </Link>
        <Button look="quiet" size="small" onClick={hide}>
          Sembunyikan
        </Button>
      </span>
    </aside>
  )
}
