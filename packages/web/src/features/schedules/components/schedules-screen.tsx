import type { Schedule } from '@siarin/contracts/schedules/schedules'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import { Card, CardHeading } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Page } from '../../../components/page.tsx'
import { Segmented } from '../../../components/segmented.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { AccessStopped } from '../../standing/access-stopped.tsx'
import { useStanding, useStopped } from '../../standing/api/standing.ts'
import { schedulesQuery } from '../api/schedules.ts'
import { currentOf } from '../occurrence-groups.ts'
import { noSchedules } from '../schedule-permit.ts'
import { dateWords } from '../schedule-words.ts'
import { type ScheduleActions, useScheduleActions } from '../use-schedule-actions.ts'
import { useUpcoming } from '../use-upcoming.ts'
import { zoneWords } from '../zones.ts'
import { OccurrenceList } from './occurrence-list.tsx'
import { RefusalNote } from './refusal-note.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { ScheduleRow } from './schedule-row.tsx'
import { WeekView } from './week-view.tsx'

const TITLE = 'Jadwal siaran'
const LEAD = 'Siaran yang mulai dan berakhir sendiri, pada waktu yang Anda tentukan.'
const SKELETON_ROWS = ['one', 'two', 'three'] as const
/** The server tells at most 45 days at once, and the rules go on for longer than anybody plans. */
const WEEKS_MAX = 51

const VIEWS = [
  { value: 'list', label: 'Daftar' },
  { value: 'week', label: 'Mingguan' },
] as const
type View = (typeof VIEWS)[number]['value']

const failureOf = (error: Error | null): string | null =>
  error && !(error instanceof SessionEndedError) ? featureMessage(error, REQUEST_FAILED) : null

function Skeletons() {
  return (
    <Loading className="grid gap-3 p-6">
      {SKELETON_ROWS.map((row) => (
        <Skeleton key={row} className="h-16" />
      ))}
    </Loading>
  )
}

interface WeekSwitchProps {
  dates: readonly string[]
  weeksAhead: number
  onChange: (weeksAhead: number) => void
}

function WeekSwitch({ dates, weeksAhead, onChange }: WeekSwitchProps) {
  return (
    <div className="flex items-center gap-1">
      <Button
        look="quiet"
        size="icon"
        aria-label="Minggu sebelumnya"
        disabled={weeksAhead === 0}
        onClick={() => onChange(weeksAhead - 1)}
      >
        <ChevronLeft aria-hidden size={20} strokeWidth={1.75} />
      </Button>
      <p aria-live="polite" className="text-center text-xs font-semibold text-ink-soft tabular-nums">
        {dateWords(dates[0] ?? '')} – {dateWords(dates.at(-1) ?? '')}
      </p>
      <Button
        look="quiet"
        size="icon"
        aria-label="Minggu berikutnya"
        disabled={weeksAhead >= WEEKS_MAX}
        onClick={() => onChange(weeksAhead + 1)}
      >
        <ChevronRight aria-hidden size={20} strokeWidth={1.75} />
      </Button>
    </div>
  )
}

/** What is to come of all schedules, as a list or as a week. */
function UpcomingCard({ schedules, actions }: { schedules: readonly Schedule[]; actions: ScheduleActions }) {
  const [view, setView] = useState<View>('list')
  const [weeksAhead, setWeeksAhead] = useState(0)
  const { occurrences, listed, error, reload, more, ...when } = useUpcoming(weeksAhead)
  const failure = failureOf(error)
  return (
    <Card className="min-w-0 overflow-clip">
      <div className="grid gap-3 p-4 sm:px-6">
        <CardHeading
          title="Yang akan datang"
          lead={`Jam menurut perangkat ini (${zoneWords(when.zone)}).`}
          action={
            <div className="w-44">
              <Segmented legend="Tampilan" hideLegend options={VIEWS} value={view} onChange={setView} />
            </div>
          }
        />
        <WeekSwitch dates={when.dates} weeksAhead={weeksAhead} onChange={setWeeksAhead} />
        {more && (
          <p className="text-xs text-ink-soft">Terlalu banyak untuk ditampilkan semua: ini 1.000 yang pertama.</p>
        )}
      </div>
      {!occurrences && failure !== null && <ErrorState text={failure} onRetry={reload} />}
      {!occurrences && failure === null && <Skeletons />}
      {listed && view === 'list' && <OccurrenceList occurrences={listed} {...{ schedules, actions, ...when }} />}
      {occurrences && view === 'week' && <WeekView {...{ occurrences, schedules, actions, ...when }} />}
    </Card>
  )
}

function Schedules() {
  const { data, error, refetch } = useQuery(schedulesQuery())
  const actions = useScheduleActions()
  const refusal = noSchedules(useStanding())
  const { occurrences, nowMs } = useUpcoming(0)
  const current = currentOf(occurrences ?? [], nowMs)
  const [edited, setEdited] = useState<Schedule | null>(null)
  const failure = failureOf(error)
  const create = (look: 'primary' | 'secondary') => (
    <Link to="/fitur/live?jadwal" className={buttonStyle(look)}>
      Buat jadwal
    </Link>
  )
  if (!data) {
    return (
      <Page title={TITLE} lead={LEAD}>
        <Card>{failure === null ? <Skeletons /> : <ErrorState text={failure} onRetry={() => void refetch()} />}</Card>
      </Page>
    )
  }
  return (
    <Page title={TITLE} lead={LEAD} action={data.length > 0 && !refusal && create('primary')}>
      <div className="grid min-w-0 gap-6">
        {refusal && <RefusalNote refusal={refusal} />}
        {data.length === 0 ? (
          <Card>
            <EmptyState
              icon={CalendarClock}
              text="Belum ada jadwal. Pilih video di Live, buka tab Go, lalu tentukan waktunya."
              action={refusal ? undefined : create('secondary')}
            />
          </Card>
        ) : (
          <>
            <UpcomingCard schedules={data} actions={actions} />
            <Card className="min-w-0 overflow-clip">
              <div className="p-4 sm:px-6">
                <CardHeading title="Semua jadwal" />
              </div>
              <ul aria-label="Semua jadwal" className="divide-y divide-line border-t border-line">
                {data.map((schedule) => (
                  <ScheduleRow
                    key={schedule.id}
                    schedule={schedule}
                    current={current.get(schedule.id)}
                    actions={actions}
                    onEdit={() => setEdited(schedule)}
                  />
                ))}
              </ul>
            </Card>
          </>
        )}
      </div>
      {edited && <ScheduleDialog schedule={edited} onClose={() => setEdited(null)} />}
    </Page>
  )
}

export function SchedulesScreen() {
  const stopped = useStopped()
  if (!stopped) return <Schedules />
  return (
    <Page title={TITLE} lead={LEAD}>
      <AccessStopped standing={stopped} />
    </Page>
  )
}
