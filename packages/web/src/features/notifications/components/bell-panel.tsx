import { useQuery } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { Link } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { useNow } from '../../../lib/use-now.ts'
import { AlertRow } from '../alert-row.tsx'
import { latestAlertsQuery, unreadQuery } from '../api/alerts.ts'
import { useReading } from '../use-reading.ts'

const SKELETON_ROWS = ['one', 'two', 'three'] as const

function LatestAlerts({ newestId }: { newestId: string | null }) {
  const { data, error, refetch } = useQuery({ ...latestAlertsQuery(newestId), refetchOnMount: 'always' })
  const { read } = useReading()
  const nowMs = useNow()
  if (!data && error && !(error instanceof SessionEndedError)) {
    return <ErrorState text={featureMessage(error, REQUEST_FAILED)} onRetry={() => void refetch()} />
  }
  if (!data) {
    return (
      <Loading className="grid gap-3 p-4">
        {SKELETON_ROWS.map((row) => (
          <Skeleton key={row} className="h-14" />
        ))}
      </Loading>
    )
  }
  if (data.length === 0) {
    return (
      <EmptyState icon={BellRing} text="Belum ada kabar. Begitu siaran terputus atau gagal, Anda membacanya di sini." />
    )
  }
  return (
    <ul aria-label="Kabar terbaru" className="divide-y divide-line">
      {data.map((alert) => (
        <AlertRow key={alert.id} short alert={alert} nowMs={nowMs} onRead={() => read(alert.id)} />
      ))}
    </ul>
  )
}

/** What the bell opens: the newest alerts, and the ways to all of them and to the settings. */
export function BellPanel() {
  const { data: known } = useQuery(unreadQuery())
  const { readAll, busy } = useReading()
  const newestId = known?.newestId ?? null
  return (
    <div className="flex max-h-[inherit] min-h-0 flex-col">
      <div className="flex min-h-14 items-center justify-between gap-3 border-b border-line px-4">
        <h2 className="text-base font-bold">Notifikasi</h2>
        {known && known.unread > 0 && newestId !== null && (
          <Button look="quiet" size="small" className="-mr-2" disabled={busy} onClick={() => readAll(newestId)}>
            Tandai semua dibaca
          </Button>
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        <LatestAlerts newestId={newestId} />
      </div>
      <div className="flex justify-between gap-2 border-t border-line p-2">
        <Link to="/fitur/notifikasi?tab=kabar" className={buttonStyle('quiet', 'small')}>
          Lihat semua
        </Link>
        <Link to="/fitur/notifikasi" className={buttonStyle('quiet', 'small')}>
          Atur notifikasi
        </Link>
      </div>
    </div>
  )
}
