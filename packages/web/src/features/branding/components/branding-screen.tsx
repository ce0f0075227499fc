import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { buttonStyle } from '../../../components/button-styles.ts'
import { Card, CardHeading } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Page } from '../../../components/page.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { AccessStopped } from '../../standing/access-stopped.tsx'
import { useStanding, useStopped } from '../../standing/api/standing.ts'
import { brandKitQuery } from '../api/brand-kit.ts'
import { brandingRefusal } from '../brand-words.ts'
import { LogoCard } from './logo-card.tsx'
import { TextCard } from './text-card.tsx'

const TITLE = 'Branding'
const LEAD = 'Logo, teks, dan warna Anda. Dipasang di video satu kali, jadi siarannya tetap ringan.'

function HowTo() {
  return (
    <Card className="p-6">
      <CardHeading
        title="Pasang di video"
        lead="Di tab Lokal, pilih videonya lalu tekan Buat versi dengan brand. Bentuk tegak 9:16 untuk TikTok dan Instagram dibuat di sana juga, di semua paket. Begitu siap, versinya bisa dipilih di tab Go."
        action={
          <Link to="/fitur/live" className={buttonStyle('secondary', 'small')}>
            Buka video
          </Link>
        }
      />
    </Card>
  )
}

function Kit() {
  const { data: kit, error, refetch } = useQuery(brandKitQuery())
  const standing = useStanding()
  if (!kit) {
    return (
      <Card>
        {error && !(error instanceof SessionEndedError) ? (
          <ErrorState text={featureMessage(error, REQUEST_FAILED)} onRetry={() => void refetch()} />
        ) : (
          <Loading className="grid gap-3 p-6">
            <Skeleton className="h-32" />
            <Skeleton className="h-20" />
          </Loading>
        )}
      </Card>
    )
  }
  return (
    <div className="grid min-w-0 gap-6 lg:grid-cols-2 lg:items-start">
      <LogoCard kit={kit} refusal={brandingRefusal('logo', kit.allows, standing)} />
      <TextCard kit={kit} refusal={brandingRefusal('full', kit.allows, standing)} />
      <div className="min-w-0 lg:col-span-2">
        <HowTo />
      </div>
    </div>
  )
}

export function BrandingScreen() {
  const stopped = useStopped()
  return (
    <Page title={TITLE} lead={LEAD}>
      {stopped ? <AccessStopped standing={stopped} /> : <Kit />}
    </Page>
  )
}
