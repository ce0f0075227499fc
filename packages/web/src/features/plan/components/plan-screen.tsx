import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router'
import { buttonStyle } from '../../../components/button-styles.ts'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Page } from '../../../components/page.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { SessionEndedError, serverMessage } from '../../../lib/http.ts'
import { standingQuery } from '../../standing/api/standing.ts'
import { OwnPlanCard } from './own-plan-card.tsx'
import { PlanComparison } from './plan-comparison.tsx'

const LOAD_FAILED = 'Paket Anda belum bisa dimuat.'

function OwnPlan() {
  const { data, error, refetch } = useQuery(standingQuery())
  if (data) return <OwnPlanCard standing={data} />
  if (error && !(error instanceof SessionEndedError)) {
    return (
      <Card>
        <ErrorState text={serverMessage(error) ?? LOAD_FAILED} onRetry={() => void refetch()} />
      </Card>
    )
  }
  return (
    <Loading>
      <Card className="grid h-41 content-start gap-3 p-6">
        <Skeleton className="h-7 w-40" />
        <Skeleton className="h-5 w-60" />
      </Card>
    </Loading>
  )
}

export function PlanScreen() {
  const { data: standing } = useQuery(standingQuery())
  return (
    <Page
      title="Paket"
      lead="Paket Anda sekarang, dan yang lain untuk dibandingkan."
      action={
        <Link to="/profile" className={buttonStyle('quiet', 'normal', '-ml-5 md:ml-0')}>
          <ArrowLeft aria-hidden size={18} strokeWidth={1.75} />
          Kembali ke Profile
        </Link>
      }
    >
      <div className="grid gap-8">
        <section aria-label="Paket Anda">
          <OwnPlan />
        </section>
        <section aria-labelledby="plans-heading">
          <h2 id="plans-heading" className="text-base font-bold">
            Bandingkan paket
          </h2>
          <p className="mt-0.5 mb-4 max-w-text text-sm text-pretty text-ink-soft">
            Paket dipilih lewat chat dengan administrator. Begitu diaktifkan, batas barunya langsung berlaku di sini.
          </p>
          <PlanComparison standing={standing} />
        </section>
      </div>
    </Page>
  )
}
