import { Hourglass } from 'lucide-react'
import { PlanLink } from '../../components/plan-link.tsx'
import { useNow } from '../../lib/use-now.ts'
import { type KnownStanding, useStanding } from './api/standing.ts'
import { countdownWords } from './standing-words.ts'

function Strip({ standing }: { standing: KnownStanding }) {
  const words = countdownWords(standing, useNow() + standing.clockBehindMs)
  if (words === null) return null
  return (
    <aside
      aria-label="Masa paket"
      className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-card border border-warn-line bg-warn-wash px-4 py-2.5"
    >
      <p className="flex min-w-0 items-start gap-2.5 text-sm font-medium text-pretty text-warn-ink tabular-nums">
        <Hourglass aria-hidden size={20} strokeWidth={1.75} className="shrink-0" />
        {words}
      </p>
      <PlanLink look="secondary" size="small" />
    </aside>
  )
}

/** For how long it still goes on, while that is soon. Its clock runs only then. */
export function PlanStrip() {
  const standing = useStanding()
  return standing?.endsSoon ? <Strip standing={standing} /> : null
}
