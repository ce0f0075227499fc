import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { Card, CardHeading } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { useNow } from '../../../lib/use-now.ts'
import { AlertRow } from '../alert-row.tsx'
import { allAlertsQuery, unreadQuery } from '../api/alerts.ts'
import { useReading } from '../use-reading.ts'

const SKELETON_ROWS = ['one', 'two', 'three', 'four'] as const

function AlertPages() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(allAlertsQuery())
  const { read } = useReading()
  const nowMs = useNow()
  const alerts = data?.pages.flatMap((page) => page.data)
  if (!alerts && error && !(error instanceof SessionEndedError)) {
    return <ErrorState text={featureMessage(error, REQUEST_FAILED)} onRetry={() => void refetch()} />
  }
  if (!alerts) {
    return (
      <Loading className="grid gap-3 p-6">
        {SKELETON_ROWS.map((row) => (
          <Skeleton key={row} className="h-14" />
        ))}
      </Loading>
    )
  }
  if (alerts.length === 0) {
    return (
      <EmptyState
        icon={BellRing}
        text="Belum ada kabar. Siaran yang terputus, jadwal yang terlewat, dan yang lain tercatat di sini."
      />
    )
  }
  return (
    <>
      <ul aria-label="Semua kabar" className="divide-y divide-line">
        {alerts.map((alert) => (
          <AlertRow key={alert.id} alert={alert} nowMs={nowMs} onRead={() => read(alert.id)} />
        ))}
      </ul>
      {hasNextPage && (
        <div className="grid justify-items-center border-t border-line p-3">
          <Button
            look="secondary"
            size="small"
            busy={isFetchingNextPage}
            disabled={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {isFetchingNextPage ? 'Memuat...' : 'Muat yang lebih lama'}
          </Button>
        </div>
      )}
    </>
  )
}

/** Everything that was told, newest first. */
export function AllAlerts() {
  const { data: known } = useQuery(unreadQuery())
  const { readAll, busy } = useReading()
  const newestId = known?.newestId ?? null
  return (
    <Card className="min-w-0 overflow-clip">
      <div className="border-b border-line p-4">
        <CardHeading
          title="Semua kabar"
          lead="Disimpan 90 hari."
          action={
            known &&
            known.unread > 0 &&
            newestId !== null && (
              <Button look="secondary" size="small" disabled={busy} onClick={() => readAll(newestId)}>
                Tandai semua dibaca
              </Button>
            )
          }
        />
      </div>
      <AlertPages />
    </Card>
  )
}
