import { planOf } from '@siarin/contracts/plans'
import { useQuery } from '@tanstack/react-query'
import { Bar } from '../../../components/bar.tsx'
import { Card } from '../../../components/card.tsx'
import { formatNumber, formatShortBytes } from '../../../lib/format.ts'
import { activeStreamsQuery } from '../../broadcasts/api/active-streams.ts'
import { videosQuery } from '../../library/api/videos.ts'
import type { KnownStanding } from '../../standing/api/standing.ts'
import { countdownWords, isStopped, keptWords, reasonWords, untilWords } from '../../standing/standing-words.ts'
import { StateBadge } from '../../standing/state-badge.tsx'

const WHOLE = 100
const NEARLY_FULL = 90

interface UseProps {
  name: string
  /** Null: it is not known yet. */
  used: number | null
  limit: number
  words: (amount: number) => string
}

function Use({ name, used, limit, words }: UseProps) {
  const share = used === null ? 0 : Math.min(WHOLE, (used / Math.max(1, limit)) * WHOLE)
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
        <span className="text-ink-soft">{name}</span>
        <span className="font-medium tabular-nums">
          {used === null ? '–' : words(used)} dari {words(limit)}
        </span>
      </p>
      <Bar percent={share} warning={share > NEARLY_FULL} className="h-1.5 w-full" />
    </div>
  )
}

/** How much of the plan is used now. */
function Usage({ standing }: { standing: KnownStanding }) {
  const { data: active } = useQuery(activeStreamsQuery())
  const { data: library } = useQuery(videosQuery())
  const { limits } = planOf(standing.plan)
  const storage = library?.storage
  return (
    <div className="grid content-center gap-5">
      <Use
        name="Siaran sekarang"
        used={active?.streams.length ?? null}
        limit={limits.concurrentStreams}
        words={formatNumber}
      />
      <Use
        name="Ruang video"
        used={storage?.used ?? null}
        limit={storage?.limit ?? limits.storageGb * 1024 ** 3}
        words={formatShortBytes}
      />
    </div>
  )
}

/** The plan that the person has: until when, and how much of it is used. */
export function OwnPlanCard({ standing }: { standing: KnownStanding }) {
  const { name, description } = planOf(standing.plan)
  const now = Date.now() + standing.clockBehindMs
  const note = countdownWords(standing, now) ?? keptWords(standing, now)
  const reason = reasonWords(standing)
  return (
    <Card className="grid gap-x-12 gap-y-6 p-6 md:grid-cols-2">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-3">
          <span className="text-lg font-bold">{name}</span>
          <StateBadge state={standing.state} />
        </p>
        <p className="mt-1 text-sm text-ink-soft">{description}</p>
        <p className="mt-3 text-sm font-medium tabular-nums">{untilWords(standing)}</p>
        {reason && <p className="mt-1 text-sm text-pretty break-words text-warn-ink">{reason}</p>}
        {note && <p className="mt-1 text-sm text-pretty text-warn-ink">{note}</p>}
        {!standing.enforced && (
          <p className="mt-1 text-sm text-pretty text-ink-soft">Di server ini batas paket tidak diberlakukan.</p>
        )}
      </div>
      {standing.enforced && !isStopped(standing) && <Usage standing={standing} />}
    </Card>
  )
}
