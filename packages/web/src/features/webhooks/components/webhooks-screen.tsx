import type { WebhookEndpoint, WebhookSecretAnswer } from '@siarin/contracts/webhooks'
import { useQuery } from '@tanstack/react-query'
import { Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Page } from '../../../components/page.tsx'
import { PlanLink } from '../../../components/plan-link.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { AccessStopped } from '../../standing/access-stopped.tsx'
import { useStanding, useStopped } from '../../standing/api/standing.ts'
import { webhooksQuery } from '../api/webhooks.ts'
import { refusalWords } from '../webhook-words.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WebhookRow } from './webhook-row.tsx'

const TITLE = 'Webhook'
const LEAD = 'Program Anda sendiri dikabari begitu sesuatu terjadi: siaran tayang, terputus, video siap, dan lainnya.'
const SKELETON_ROWS = ['one', 'two'] as const

/** Why there can be no further one. Nothing went wrong, so it is no alarm. */
function RefusalNote({ text }: { text: string }) {
  return (
    <div
      role="note"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-control border border-line bg-raised px-3.5 py-3"
    >
      <p className="flex min-w-0 items-start gap-2.5 text-sm text-pretty">
        <Webhook aria-hidden size={20} strokeWidth={1.75} className="shrink-0 text-ink-soft" />
        {text}
      </p>
      <PlanLink look="secondary" size="small" />
    </div>
  )
}

/** Nothing, a new one, or the one that is changed. */
type Shown = { readonly webhook: WebhookEndpoint | null } | null

function Webhooks() {
  const { data, error, refetch } = useQuery(webhooksQuery())
  const standing = useStanding()
  const [shown, setShown] = useState<Shown>(null)
  const [made, setMade] = useState<WebhookSecretAnswer | null>(null)
  const refusal = data ? refusalWords(data.allowed, data.data.length, standing) : null
  const create = () => setShown({ webhook: null })
  if (!data) {
    return (
      <Page title={TITLE} lead={LEAD}>
        <Card>
          {error && !(error instanceof SessionEndedError) ? (
            <ErrorState text={featureMessage(error, REQUEST_FAILED)} onRetry={() => void refetch()} />
          ) : (
            <Loading className="grid gap-3 p-6">
              {SKELETON_ROWS.map((row) => (
                <Skeleton key={row} className="h-24" />
              ))}
            </Loading>
          )}
        </Card>
      </Page>
    )
  }
  return (
    <Page
      title={TITLE}
      lead={LEAD}
      action={
        data.data.length > 0 && (
          <Button disabled={refusal !== null} onClick={create}>
            <Plus aria-hidden size={18} strokeWidth={1.75} />
            Buat webhook
          </Button>
        )
      }
    >
      <div className="grid min-w-0 gap-6">
        {refusal && <RefusalNote text={refusal} />}
        <Card className="min-w-0 overflow-clip">
          {data.data.length === 0 ? (
            <EmptyState
              icon={Webhook}
              text="Belum ada webhook. Isi alamat program Anda, pilih kejadiannya, lalu kirim tes."
              action={
                refusal ? undefined : (
                  <Button look="secondary" onClick={create}>
                    Buat webhook pertama
                  </Button>
                )
              }
            />
          ) : (
            <ul aria-label="Webhook Anda" className="divide-y divide-line">
              {data.data.map((webhook) => (
                <WebhookRow
                  key={webhook.id}
                  webhook={webhook}
                  onEdit={() => setShown({ webhook })}
                  onSecret={setMade}
                />
              ))}
            </ul>
          )}
        </Card>
      </div>
      {shown && <WebhookDialog webhook={shown.webhook} onClose={() => setShown(null)} onSecret={setMade} />}
      {made && <SecretDialog made={made} onClose={() => setMade(null)} />}
    </Page>
  )
}

export function WebhooksScreen() {
  const stopped = useStopped()
  if (!stopped) return <Webhooks />
  return (
    <Page title={TITLE} lead={LEAD}>
      <AccessStopped standing={stopped} />
    </Page>
  )
}
