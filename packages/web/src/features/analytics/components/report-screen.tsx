import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Printer } from 'lucide-react'
import { useId } from 'react'
import { Link, useSearchParams } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, Select } from '../../../components/field.tsx'
import { Page } from '../../../components/page.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { featureMessage, isAboutPlan, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { AccessStopped } from '../../standing/access-stopped.tsx'
import { useStanding, useStopped } from '../../standing/api/standing.ts'
import { extraRefusal } from '../access.ts'
import { ANALYTICS_PATH } from '../analytics-path.ts'
import { reportQuery, summaryQuery } from '../api/analytics.ts'
import { rangeOf, todayOf } from '../range.ts'
import { monthsUntil, monthWords, newestMonth, readMonth } from '../report-months.ts'
import { PlanNote } from './plan-note.tsx'
import { ReportMail } from './report-mail.tsx'
import { ReportPaper } from './report-paper.tsx'

const TITLE = 'Laporan bulanan'
const LEAD = 'Satu bulan siaran di atas kertas: cetak, atau simpan sebagai PDF dari jendela cetak.'

const Waiting = () => (
  <Card>
    <Loading className="p-6">
      <Skeleton className="h-120" />
    </Loading>
  </Card>
)

/** The month that is shown; null: it is not known yet which has a broadcast. */
function useMonth(search: URLSearchParams, today: string): string | null {
  const asked = readMonth(search, today)
  const year = useQuery({ ...summaryQuery(rangeOf('tahun', today)), enabled: asked === null, refetchInterval: false })
  if (asked !== null) return asked
  return year.isPending ? null : newestMonth(year.data?.days ?? [], today)
}

function AskedReport({ month }: { month: string }) {
  const { data, error, refetch } = useQuery(reportQuery(month))
  if (data) return <ReportPaper report={data} />
  if (error && isAboutPlan(error)) return <PlanNote text={featureMessage(error, REQUEST_FAILED)} />
  if (!error) return <Waiting />
  return (
    <Card>
      <ErrorState text={featureMessage(error, REQUEST_FAILED)} onRetry={() => void refetch()} />
    </Card>
  )
}

function Report() {
  const [search, setSearch] = useSearchParams()
  const id = useId()
  const today = todayOf(Date.now())
  const month = useMonth(search, today)
  if (month === null) return <Waiting />
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="report-controls grid gap-4">
        <div className="flex flex-wrap items-end justify-between gap-3">
          <div className="w-full sm:w-60">
            <Field id={id} label="Bulan">
              <Select
                value={month}
                onChange={({ currentTarget }) => setSearch({ bulan: currentTarget.value }, { replace: true })}
              >
                {monthsUntil(today).map((each) => (
                  <option key={each} value={each}>
                    {monthWords(each)}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
          <Button onClick={() => window.print()}>
            <Printer aria-hidden size={18} strokeWidth={1.75} />
            Cetak
          </Button>
        </div>
        <ReportMail />
      </div>
      <AskedReport key={month} month={month} />
    </div>
  )
}

/** A month to be printed, for plans that have reports. */
export function ReportScreen() {
  const stopped = useStopped()
  const standing = useStanding()
  const refusal = extraRefusal(standing, 'report')
  return (
    <div className="report-page">
      <Page
        title={TITLE}
        lead={LEAD}
        action={
          <Link to={ANALYTICS_PATH} className={buttonStyle('quiet', 'normal', '-ml-5 md:ml-0')}>
            <ArrowLeft aria-hidden size={18} strokeWidth={1.75} />
            Semua analitik
          </Link>
        }
      >
        {stopped ? (
          <AccessStopped standing={stopped} />
        ) : refusal !== null ? (
          <PlanNote text={refusal} />
        ) : (
          standing && <Report />
        )}
      </Page>
    </div>
  )
}
