import type { Delivery, DeliverySummary } from '@siarin/contracts/webhooks'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { deliveryQuery } from '../api/webhooks.ts'
import { prettyBody } from '../webhook-words.ts'

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 content-start gap-1.5">
      <h4 className="text-xs font-semibold text-ink-soft">{title}</h4>
      {children}
    </section>
  )
}

/** Scrolls in itself, by keyboard too. */
function Raw({ label, text }: { label: string; text: string }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
      tabIndex={0}
      className="max-h-72 overflow-auto rounded-control bg-raised p-3"
    >
      <pre className="font-mono text-xs leading-5 break-words whitespace-pre-wrap">{text}</pre>
    </section>
  )
}

const headerLines = (headers: Delivery['requestHeaders']): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

const answerText = ({ status, answer, lastTryAt }: Delivery): string => {
  if (status === null) return lastTryAt === null ? 'Belum ada jawaban.' : 'Tidak ada jawaban.'
  return `${status}\n\n${answer ? prettyBody(answer) : '(tanpa isi)'}`
}

/** What was wrong stands above, where this is opened. */
export function RequestAndAnswer({ delivery }: { delivery: Delivery }) {
  return (
    <div className="grid min-w-0 gap-4 lg:grid-cols-2">
      <Part title="Permintaan">
        <Raw
          label="Permintaan"
          text={`${headerLines(delivery.requestHeaders)}\n\n${prettyBody(delivery.requestBody)}`}
        />
      </Part>
      <Part title="Jawaban">
        <Raw label="Jawaban" text={answerText(delivery)} />
      </Part>
    </div>
  )
}

/** Fetched when somebody opens it. */
export function DeliveryDetails({ webhookId, delivery }: { webhookId: string; delivery: DeliverySummary }) {
  const { data, error, refetch } = useQuery(deliveryQuery(webhookId, delivery.id, delivery.lastTryAt))
  if (data) return <RequestAndAnswer delivery={data} />
  if (error && !(error instanceof SessionEndedError)) {
    return <ErrorState text={featureMessage(error, REQUEST_FAILED)} onRetry={() => void refetch()} />
  }
  return (
    <Loading className="grid gap-4 lg:grid-cols-2">
      <Skeleton className="h-40" />
      <Skeleton className="h-40" />
    </Loading>
  )
}
