import type { ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { PlatformBadge } from '../../../components/platform-mark.tsx'
import { featureMessage } from '../../../lib/feature-calls.ts'
import { formatMoment } from '../../../lib/format.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { upcomingQuery } from '../api/upcoming.ts'

const SHOWN = 5
const HEADING_ID = 'room-upcoming'

/** Each once: which targets they are, its own screen tells. */
const platformsOf = ({ targets }: ScheduledOccurrence) => [...new Set(targets.map(({ platform }) => platform))]

function Occurrence({ due }: { due: ScheduledOccurrence }) {
  const problem = due.warning ?? due.reason
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-3 md:grid-cols-[12rem_minmax(0,1fr)_auto] md:items-center">
      <time dateTime={due.dueAt} className="text-sm font-semibold whitespace-nowrap tabular-nums">
        {formatMoment(due.dueAt)}
      </time>
      <span className="grid min-w-0">
        <span dir="auto" title={due.title} className="truncate text-left text-sm">
          {due.title}
        </span>
        {problem && (
          <span className="flex min-w-0 gap-1.5 text-xs text-warn-ink">
            <TriangleAlert aria-hidden size={14} strokeWidth={1.75} className="mt-px shrink-0" />
            <span className="min-w-0 break-words">{problem}</span>
          </span>
        )}
      </span>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {platformsOf(due).map((platform) => (
          <PlatformBadge key={platform} platform={platform} />
        ))}
      </span>
    </li>
  )
}

/** What comes next by schedule. Nothing is said where nothing is planned. */
export function UpcomingList() {
  const { data, error, refetch } = useQuery(upcomingQuery())
  const failed = !data && error && !(error instanceof SessionEndedError)
  if (!failed && (data?.length ?? 0) === 0) return null
  return (
    <section aria-labelledby={HEADING_ID} className="mt-8">
      <h2 id={HEADING_ID} className="mb-3 text-sm font-bold text-ink-soft">
        Berikutnya menurut jadwal
      </h2>
      <Card>
        {data ? (
          <ul aria-labelledby={HEADING_ID} className="divide-y divide-line">
            {data.slice(0, SHOWN).map((due) => (
              <Occurrence key={`${due.scheduleId} ${due.dueAt}`} due={due} />
            ))}
          </ul>
        ) : (
          <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
            <p className="text-sm text-ink-soft">{featureMessage(error, 'Jadwal belum bisa dimuat.')}</p>
            <Button look="secondary" size="small" onClick={() => void refetch()}>
              Coba lagi
            </Button>
          </div>
        )}
      </Card>
    </section>
  )
}
