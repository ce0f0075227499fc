import type { DeliverySummary, WebhookEndpoint } from '@siarin/contracts/webhooks'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FactLine } from '../../../components/fact-line.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { classes } from '../../../lib/classes.ts'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { notifySuccess } from '../../../lib/notify.ts'
import { deliveriesQuery, resendDelivery, WEBHOOKS_KEY } from '../api/webhooks.ts'
import { tellFailure } from '../use-webhook-actions.ts'
import { deliveryFacts, deliveryState, eventWords } from '../webhook-words.ts'
import { DeliveryDetails } from './delivery-details.tsx'

interface DeliveryRowProps {
  webhook: WebhookEndpoint
  delivery: DeliverySummary
}

function DeliveryRow({ webhook, delivery }: DeliveryRowProps) {
  const queryClient = useQueryClient()
  const [open, setOpen] = useState(false)
  const resend = useMutation({
    mutationFn: () => resendDelivery(webhook.id, delivery.id),
    onSuccess: async (message) => {
      await queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY })
      notifySuccess(message)
    },
    onError: tellFailure,
  })
  const [label, tone] = deliveryState(delivery)
  const words = eventWords(delivery.event)
  // What still waits is on its way.
  const canResend = delivery.state !== 'waiting' && webhook.state === 'active'
  return (
    <li className="grid gap-3 py-2">
      <div className="flex items-start gap-2">
        <button
          type="button"
          aria-expanded={open}
          className="flex min-h-11 min-w-0 flex-1 items-start gap-2 rounded-control p-1 text-left hover:bg-raised"
          onClick={() => setOpen(!open)}
        >
          <ChevronDown
            aria-hidden
            size={16}
            strokeWidth={1.75}
            className={classes('mt-0.5 shrink-0 text-ink-soft transition-transform', !open && '-rotate-90')}
          />
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-semibold">
              {words}
              <Badge tone={tone}>{label}</Badge>
            </span>
            {delivery.about && (
              <span dir="auto" className="mt-0.5 block truncate text-xs">
                {delivery.about}
              </span>
            )}
            <FactLine facts={deliveryFacts(delivery, webhook)} />
            {delivery.result && (
              <span className="mt-0.5 block text-xs text-pretty text-warn-ink">{delivery.result}</span>
            )}
          </span>
        </button>
        {canResend && (
          <Button
            look="quiet"
            size="small"
            busy={resend.isPending}
            disabled={resend.isPending}
            aria-label={`Kirim ulang ${words}`}
            onClick={() => resend.mutate()}
          >
            Kirim ulang
          </Button>
        )}
      </div>
      {open && <DeliveryDetails webhookId={webhook.id} delivery={delivery} />}
    </li>
  )
}

/** What was sent to one webhook, newest first. */
export function DeliveryLog({ webhook }: { webhook: WebhookEndpoint }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    deliveriesQuery(webhook.id),
  )
  const deliveries = data?.pages.flatMap((page) => page.data)
  if (!deliveries && error && !(error instanceof SessionEndedError)) {
    return <ErrorState text={featureMessage(error, REQUEST_FAILED)} onRetry={() => void refetch()} />
  }
  if (!deliveries) {
    return (
      <Loading className="grid gap-2 py-3">
        <Skeleton className="h-11" />
        <Skeleton className="h-11" />
      </Loading>
    )
  }
  if (deliveries.length === 0) {
    return <EmptyState text="Belum ada kiriman. Kirim tes untuk melihat bagaimana penerima menjawab." />
  }
  return (
    <>
      <ul aria-label={`Kiriman ke ${webhook.description || webhook.url}`} className="divide-y divide-line">
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} />
        ))}
      </ul>
      {hasNextPage && (
        <Button
          look="secondary"
          size="small"
          className="my-2 justify-self-center"
          busy={isFetchingNextPage}
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {isFetchingNextPage ? 'Memuat...' : 'Muat yang lebih lama'}
        </Button>
      )}
    </>
  )
}
