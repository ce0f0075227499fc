import { StepForward, Unplug } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Tooltip } from '../../../components/tooltip.tsx'
import { formatInstant, formatNumber } from '../../../lib/format.ts'
import { foldedWords, gapLength } from '../recording-words.ts'
import type { Gap } from '../time-line.ts'

const SHOWN_AT_FIRST = 6

function InterruptionRow({ gap, onSeek }: { gap: Gap; onSeek: (seconds: number) => void }) {
  const when = formatInstant(new Date(gap.begin).toISOString())
  return (
    <li className="flex items-start gap-3 px-4 py-3 sm:px-6" data-testid="interruption">
      <Unplug aria-hidden size={18} strokeWidth={1.75} className="mt-0.5 shrink-0 text-warn-ink" />
      <div className="min-w-0 flex-1">
        <p className="text-sm font-semibold tabular-nums">{gapLength(gap)}</p>
        <p className="text-sm break-words text-pretty">{gap.why}</p>
        <p className="mt-0.5 text-xs text-ink-soft tabular-nums">{when}</p>
      </div>
      <Tooltip text="Lompat ke sesudahnya">
        <Button
          look="quiet"
          size="icon"
          aria-label={`Lompat ke sesudah terputus ${when}`}
          onClick={() => onSeek(gap.seconds)}
        >
          <StepForward aria-hidden size={18} strokeWidth={1.75} />
        </Button>
      </Tooltip>
    </li>
  )
}

interface InterruptionListProps {
  gaps: readonly Gap[]
  /** How many there were: where there are very many, the shortest are not told one by one. */
  count: number
  onSeek: (seconds: number) => void
}

/** When it was off air, how long and why. */
export function InterruptionList({ gaps, count, onSeek }: InterruptionListProps) {
  const headingId = useId()
  const [all, setAll] = useState(false)
  return (
    <Card aria-labelledby={headingId} className="min-w-0">
      <h2 id={headingId} className="px-4 pt-4 pb-2 text-base font-bold sm:px-6 sm:pt-6">
        Gangguan
      </h2>
      {gaps.length === 0 ? (
        <p className="px-4 pb-5 text-sm text-ink-soft sm:px-6 sm:pb-6">Siaran ini tidak pernah terputus.</p>
      ) : (
        <ol aria-labelledby={headingId} className="divide-y divide-line">
          {(all ? gaps : gaps.slice(0, SHOWN_AT_FIRST)).map((gap) => (
            <InterruptionRow key={gap.seconds} gap={gap} onSeek={onSeek} />
          ))}
        </ol>
      )}
      {count > gaps.length && (
        <p className="border-t border-line px-4 py-3 text-sm text-ink-soft sm:px-6" data-testid="folded">
          {foldedWords(count - gaps.length)}
        </p>
      )}
      {gaps.length > SHOWN_AT_FIRST && (
        <div className="border-t border-line p-2 text-center">
          <Button look="quiet" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Tampilkan sedikit' : `Tampilkan semua (${formatNumber(gaps.length)})`}
          </Button>
        </div>
      )}
    </Card>
  )
}
