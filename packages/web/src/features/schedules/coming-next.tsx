import type { ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { featureMessage } from '../../lib/feature-calls.ts'
import { formatMoment } from '../../lib/format.ts'
import { SessionEndedError } from '../../lib/http.ts'
import { comingNextQuery } from './api/schedules.ts'
import { TargetNames } from './components/target-names.tsx'
import { stateWords } from './schedule-words.ts'

/** What would keep it from starting stands alone; of what has kept it, whether it is tried again. */
function problemOf(due: ScheduledOccurrence): string | null {
  return due.reason === null ? due.warning : `${stateWords(due).label}: ${due.reason}`
}

function Occurrence({ due }: { due: ScheduledOccurrence }) {
  const problem = problemOf(due)
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
      <span className="text-xs text-ink-soft">
        <TargetNames targets={due.targets} />
      </span>
    </li>
  )
}

interface ComingNextProps {
  most: number
  /** Says nothing where it could not be had: the screen is about something else. */
  quiet?: boolean
}

/** What comes next by schedule, and the way to all of it. Nothing is said where nothing is planned. */
export function ComingNext({ most, quiet = false }: ComingNextProps) {
  const headingId = useId()
  const { data, error, refetch } = useQuery(comingNextQuery())
  const failed = !quiet && !data && error && !(error instanceof SessionEndedError)
  if (!failed && (data?.length ?? 0) === 0) return null
  return (
    <section aria-labelledby={headingId}>
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id={headingId} className="text-sm font-bold text-ink-soft">
          Berikutnya menurut jadwal
        </h2>
        <Link
          to="/fitur/jadwal"
          className="inline-flex min-h-6 items-center text-sm font-semibold text-accent-ink underline"
        >
          Semua jadwal
        </Link>
      </div>
      <Card>
        {data ? (
          <ul aria-labelledby={headingId} className="divide-y divide-line">
            {data.slice(0, most).map((due) => (
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
