import type { WebhookEndpoint, WebhookSecretAnswer, WebhookTestAnswer } from '@siarin/contracts/webhooks'
import { ChevronDown, KeyRound, Pencil, Trash2, Webhook } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Tooltip } from '../../../components/tooltip.tsx'
import { classes } from '../../../lib/classes.ts'
import { formatMoment } from '../../../lib/format.ts'
import { useWebhookActions } from '../use-webhook-actions.ts'
import { eventWords, lastWords, stateWords } from '../webhook-words.ts'
import { RequestAndAnswer } from './delivery-details.tsx'
import { DeliveryLog } from './delivery-log.tsx'

/** What the receiver answered, with all of it at hand. */
function TestResult({ tested, testing }: { tested: WebhookTestAnswer | null; testing: boolean }) {
  return (
    <div role="status" className="min-w-0">
      {testing && <p className="text-xs text-ink-soft">Mengirim kejadian uji coba, menunggu jawaban…</p>}
      {tested && (
        <div className="grid min-w-0 gap-3 rounded-control border border-line p-3">
          <p
            className={classes(
              'text-sm font-semibold',
              tested.data.state === 'delivered' ? 'text-accent-ink' : 'text-warn-ink',
            )}
          >
            {tested.message}
          </p>
          <RequestAndAnswer delivery={tested.data} />
        </div>
      )}
    </div>
  )
}

/** Why it is not as it should be, each with the way out. */
function Notes({ webhook }: { webhook: WebhookEndpoint }) {
  const notes = [webhook.notice, webhook.warning, webhook.dropped].filter((note) => note !== null)
  return (
    <>
      {notes.map((note) => (
        <p key={note} className="max-w-text text-xs font-medium text-pretty text-warn-ink">
          {note}
        </p>
      ))}
      {webhook.oldSecretUntil && (
        <p className="max-w-text text-xs text-pretty text-ink-soft">
          Secret lama masih ikut menandatangani sampai {formatMoment(webhook.oldSecretUntil)}.
        </p>
      )}
    </>
  )
}

interface WebhookRowProps {
  webhook: WebhookEndpoint
  onEdit: () => void
  onSecret: (made: WebhookSecretAnswer) => void
}

type Actions = ReturnType<typeof useWebhookActions>

function RowButtons({ webhook, actions, onEdit }: { webhook: WebhookEndpoint; actions: Actions; onEdit: () => void }) {
  const name = webhook.description || webhook.url
  const isActive = webhook.state === 'active'
  const icon = { 'aria-hidden': true, size: 18, strokeWidth: 1.75 } as const
  return (
    <div className="flex flex-wrap items-center justify-end gap-1">
      <Button
        look="secondary"
        size="small"
        busy={actions.testing}
        disabled={actions.busy || !isActive}
        aria-label={`Kirim tes ke ${name}`}
        onClick={actions.test}
      >
        {actions.testing ? 'Mengirim...' : 'Kirim tes'}
      </Button>
      <Button
        look="quiet"
        size="small"
        disabled={actions.busy}
        aria-label={`${isActive ? 'Jeda' : 'Aktifkan'} ${name}`}
        onClick={() => actions.pause(isActive)}
      >
        {isActive ? 'Jeda' : 'Aktifkan'}
      </Button>
      <Tooltip text="Ganti secret">
        <Button
          look="quiet"
          size="icon"
          disabled={actions.busy}
          aria-label={`Ganti secret ${name}`}
          onClick={() => void actions.askRotate()}
        >
          <KeyRound {...icon} />
        </Button>
      </Tooltip>
      <Tooltip text="Ubah">
        <Button look="quiet" size="icon" disabled={actions.busy} aria-label={`Ubah ${name}`} onClick={onEdit}>
          <Pencil {...icon} />
        </Button>
      </Tooltip>
      <Tooltip text="Hapus">
        <Button
          look="quiet"
          size="icon"
          disabled={actions.busy}
          aria-label={`Hapus ${name}`}
          onClick={() => void actions.askRemove()}
        >
          <Trash2 {...icon} />
        </Button>
      </Tooltip>
    </div>
  )
}

export function WebhookRow({ webhook, onEdit, onSecret }: WebhookRowProps) {
  const { url, description, events } = webhook
  const [logOpen, setLogOpen] = useState(false)
  const actions = useWebhookActions(webhook, onSecret)
  const [label, tone] = stateWords(webhook)
  return (
    <li className="grid min-w-0 gap-3 px-4 py-4 sm:px-6">
      <div className="grid min-w-0 gap-3 lg:grid-cols-[1fr_auto] lg:items-start lg:gap-6">
        <div className="flex min-w-0 gap-4">
          <span className="grid size-10 shrink-0 place-items-center rounded-full bg-raised text-ink-soft max-sm:hidden">
            <Webhook aria-hidden size={20} strokeWidth={1.75} />
          </span>
          <div className="grid min-w-0 flex-1 gap-1">
            <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
              <h2 dir="auto" className="min-w-0 truncate text-sm font-semibold">
                {description || new URL(url).host}
              </h2>
              <Badge tone={tone}>{label}</Badge>
            </div>
            <p className="font-mono text-xs break-all text-ink-soft">{url}</p>
            <p className="text-xs text-pretty text-ink-soft">{events.map(eventWords).join(', ')}</p>
            <p className="text-xs text-ink-soft tabular-nums">{lastWords(webhook)}</p>
            <Notes webhook={webhook} />
          </div>
        </div>
        <RowButtons webhook={webhook} actions={actions} onEdit={onEdit} />
      </div>
      <TestResult tested={actions.tested} testing={actions.testing} />
      <div className="grid min-w-0">
        <button
          type="button"
          aria-expanded={logOpen}
          className="-ml-2 inline-flex min-h-9 items-center gap-1.5 justify-self-start rounded-control px-2 text-sm font-semibold text-ink-soft hover:bg-raised hover:text-ink pointer-coarse:min-h-11"
          onClick={() => setLogOpen(!logOpen)}
        >
          <ChevronDown
            aria-hidden
            size={16}
            strokeWidth={1.75}
            className={classes('shrink-0 transition-transform', logOpen && 'rotate-180')}
          />
          Catatan kiriman
          <span className="sr-only"> {description || url}</span>
        </button>
        {logOpen && <DeliveryLog webhook={webhook} />}
      </div>
    </li>
  )
}
