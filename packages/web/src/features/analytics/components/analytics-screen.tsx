import { useQuery } from '@tanstack/react-query'
import { ChartNoAxesColumn, Clock, Printer, TriangleAlert } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { buttonStyle } from '../../../components/button-styles.ts'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Page } from '../../../components/page.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { featureMessage, isAboutPlan, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { AccessStopped } from '../../standing/access-stopped.tsx'
import { useStanding, useStopped } from '../../standing/api/standing.ts'
import { accessOf, rangeRefusal } from '../access.ts'
import { REPORT_PATH } from '../analytics-path.ts'
import { headFigures } from '../analytics-words.ts'
import { summaryQuery } from '../api/analytics.ts'
import { type DayRange, readRange, searchOf, todayOf } from '../range.ts'
import { BroadcastList } from './broadcast-list.tsx'
import { CsvButton } from './csv-button.tsx'
import { DayChart } from './day-chart.tsx'
import { HeadFigures } from './head-figures.tsx'
import { IncidentList } from './incident-list.tsx'
import { NowSection } from './now-section.tsx'
import { PlanNote } from './plan-note.tsx'
import { RangePicker } from './range-picker.tsx'

const TITLE = 'Analitik'
const LEAD = 'Berapa lama siaran tayang, seberapa lancar, dan apa yang mengganggunya.'

const TO_COME = [
  { icon: Clock, text: 'Jam tayang tiap hari dan tiap platform' },
  { icon: ChartNoAxesColumn, text: 'Bitrate dari waktu ke waktu, per siaran' },
  { icon: TriangleAlert, text: 'Setiap gangguan: kapan, berapa lama, dan sebabnya' },
] as const

/** For somebody new, and for days on which nothing was on air: what will stand here. */
function NothingYet() {
  return (
    <Card className="grid justify-items-center gap-5 px-6 py-12 text-center">
      <div>
        <h2 className="text-base font-bold">Belum ada siaran pada rentang ini</h2>
        <p className="mt-1 text-sm text-ink-soft">Begitu ada yang tayang, di sini Anda melihat:</p>
      </div>
      <ul className="grid justify-items-start gap-3 text-left text-sm">
        {TO_COME.map(({ icon: Icon, text }) => (
          <li key={text} className="flex items-center gap-3">
            <span className="grid size-9 shrink-0 place-items-center rounded-full bg-accent-wash text-accent-ink">
              <Icon aria-hidden size={18} strokeWidth={1.75} />
            </span>
            {text}
          </li>
        ))}
      </ul>
      <Link to="/fitur/live" className={buttonStyle('primary')}>
        Mulai siaran
      </Link>
    </Card>
  )
}

function Past({ range }: { range: DayRange }) {
  const standing = useStanding()
  const { data, error, refetch, isPlaceholderData } = useQuery(summaryQuery(range))
  if (!data && error) {
    if (isAboutPlan(error)) return <PlanNote text={featureMessage(error, REQUEST_FAILED)} />
    return (
      <Card>
        <ErrorState text={featureMessage(error, REQUEST_FAILED)} onRetry={() => void refetch()} />
      </Card>
    )
  }
  if (data?.totals.streams === 0) {
    return (
      <>
        <NothingYet />
        <NowSection standing={standing} />
      </>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-6" aria-busy={isPlaceholderData}>
      <HeadFigures figures={data && headFigures(data)} />
      <NowSection standing={standing} />
      {data ? (
        <>
          <DayChart summary={data} />
          <IncidentList incidents={data.incidents} more={data.moreIncidents} />
        </>
      ) : (
        <Loading>
          <Skeleton className="h-86 rounded-card!" />
        </Loading>
      )}
      <BroadcastList range={range} />
    </div>
  )
}

function Overview() {
  const [search, setSearch] = useSearchParams()
  const standing = useStanding()
  const today = todayOf(Date.now())
  const read = readRange(search, today)
  const refusal = read.fault === null ? rangeRefusal(standing, read.range, today) : null
  // A week is in every plan.
  const isKnown = standing !== undefined || read.choice === '7'
  const isShown = read.fault === null && refusal === null
  return (
    <Page
      title={TITLE}
      lead={LEAD}
      action={
        <div className="flex flex-wrap gap-2">
          {standing && accessOf(standing).report && (
            <Link to={REPORT_PATH} className={buttonStyle('secondary')}>
              <Printer aria-hidden size={18} strokeWidth={1.75} />
              Laporan bulanan
            </Link>
          )}
          <CsvButton range={read.range} standing={standing} disabled={!isShown} />
        </div>
      }
    >
      <div className="grid grid-cols-1 gap-6">
        <RangePicker
          read={read}
          today={today}
          onChange={(choice, range) => setSearch(searchOf(choice, range), { replace: true })}
        />
        {refusal !== null && (
          <>
            <PlanNote text={refusal} />
            <NowSection standing={standing} />
          </>
        )}
        {isShown && (isKnown ? <Past range={read.range} /> : <HeadFigures figures={undefined} />)}
      </div>
    </Page>
  )
}

export function AnalyticsScreen() {
  const stopped = useStopped()
  if (!stopped) return <Overview />
  return (
    <Page title={TITLE} lead={LEAD}>
      <AccessStopped standing={stopped} />
    </Page>
  )
}
