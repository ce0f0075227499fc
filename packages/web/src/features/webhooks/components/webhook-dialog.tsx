import { WEBHOOK_EVENT_TEXTS } from '@siarin/contracts/webhook-texts'
import { WEBHOOK_DESCRIPTION_MAX, type WebhookEndpoint, type WebhookSecretAnswer } from '@siarin/contracts/webhooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { CodeInput, Field, Input } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { FeatureError, featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { notifySuccess } from '../../../lib/notify.ts'
import { changeWebhook, createWebhook, WEBHOOKS_KEY } from '../api/webhooks.ts'
import {
  changedWebhook,
  EVENT_GROUPS,
  eventsOf,
  faultsOf,
  formOf,
  newWebhook,
  type WebhookFaults,
  type WebhookForm,
  withEvents,
} from '../webhook-form.ts'

/** What the server says about the address belongs to its field. */
const ABOUT_ADDRESS = ['webhook_invalid', 'webhook_forbidden']

interface WebhookDialogProps {
  /** Null: a new one. */
  webhook: WebhookEndpoint | null
  onClose: () => void
  /** A new one was made: its secret is here, and nowhere else. */
  onSecret: (made: WebhookSecretAnswer) => void
}

/** Saves what was typed; `faults` and `failure` say why not, and what was typed stays. */
function useSave({ webhook, onClose, onSecret }: WebhookDialogProps) {
  const queryClient = useQueryClient()
  const [faults, setFaults] = useState<WebhookFaults>({})
  const [failure, setFailure] = useState<string | null>(null)
  const save = useMutation({
    mutationFn: async (form: WebhookForm): Promise<WebhookSecretAnswer | string | null> => {
      if (!webhook) return createWebhook(newWebhook(form))
      const change = changedWebhook(form, webhook)
      return Object.keys(change).length > 0 ? changeWebhook(webhook.id, change) : null
    },
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY })
      onClose()
      if (typeof saved === 'string') notifySuccess(saved)
      else if (saved) onSecret(saved)
    },
    onError: (error) => {
      if (error instanceof SessionEndedError) return
      const said = featureMessage(error, REQUEST_FAILED)
      if (error instanceof FeatureError && ABOUT_ADDRESS.includes(error.code ?? '')) setFaults({ url: said })
      else setFailure(said)
    },
  })
  return {
    faults,
    failure,
    busy: save.isPending,
    forget: () => {
      setFaults({})
      setFailure(null)
    },
    submit: (form: WebhookForm) => {
      const found = faultsOf(form)
      setFaults(found)
      setFailure(null)
      if (Object.keys(found).length === 0) save.mutate(form)
    },
  }
}

interface EventFieldsProps {
  form: WebhookForm
  fault: string | undefined
  onChange: (form: WebhookForm) => void
}

function EventFields({ form, fault, onChange }: EventFieldsProps) {
  return (
    <fieldset className="grid min-w-0 gap-2" aria-describedby={fault && 'webhook-events-fault'}>
      <legend className="text-sm font-semibold">Kejadian yang dikirim</legend>
      {EVENT_GROUPS.map(({ label, prefix }) => {
        const events = eventsOf(prefix)
        const all = events.every((event) => form.events.includes(event))
        return (
          <fieldset key={prefix} aria-label={label} className="grid min-w-0">
            <div className="flex min-h-9 items-center justify-between pointer-coarse:min-h-11">
              <span aria-hidden className="text-xs font-semibold text-ink-soft">
                {label}
              </span>
              {events.length > 1 && (
                <button
                  type="button"
                  className="-mr-2 min-h-9 rounded-control px-2 text-xs font-semibold text-accent-ink hover:bg-raised pointer-coarse:min-h-11"
                  onClick={() => onChange(withEvents(form, events, !all))}
                >
                  {all ? 'Kosongkan' : 'Pilih semua'}
                  <span className="sr-only"> {label}</span>
                </button>
              )}
            </div>
            {events.map((event) => (
              <label key={event} className="flex min-h-11 cursor-pointer items-center gap-3 text-sm">
                <input
                  type="checkbox"
                  className="size-5 shrink-0 accent-(--color-accent)"
                  checked={form.events.includes(event)}
                  onChange={({ currentTarget }) => onChange(withEvents(form, [event], currentTarget.checked))}
                />
                <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3">
                  {WEBHOOK_EVENT_TEXTS[event]}
                  <span className="font-mono text-xs text-ink-soft">{event}</span>
                </span>
              </label>
            ))}
          </fieldset>
        )
      })}
      {fault && (
        <p id="webhook-events-fault" role="alert" className="text-sm font-medium text-warn-ink">
          {fault}
        </p>
      )}
    </fieldset>
  )
}

export function WebhookDialog(props: WebhookDialogProps) {
  const { webhook, onClose } = props
  const [form, setForm] = useState(() => formOf(webhook))
  const { faults, failure, busy, forget, submit } = useSave(props)
  const type = (next: WebhookForm): void => {
    setForm(next)
    forget()
  }
  return (
    <FormDialog
      title={webhook ? 'Ubah webhook' : 'Buat webhook'}
      description="Program Anda menerima permintaan POST yang ditandatangani setiap kali kejadian pilihan Anda terjadi."
      submit={{ label: webhook ? 'Simpan' : 'Buat webhook', busyLabel: 'Menyimpan...', disabled: false }}
      busy={busy}
      failure={failure}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        submit(form)
      }}
      onClose={onClose}
    >
      <Field
        id="webhook-url"
        label="Alamat"
        hint="Alamat https:// di internet yang menjawab 2xx dalam 15 detik."
        fault={faults.url}
      >
        <CodeInput
          inputMode="url"
          placeholder="https://"
          value={form.url}
          maxLength={2048}
          onChange={(event) => type({ ...form, url: event.currentTarget.value })}
        />
      </Field>
      <Field
        id="webhook-description"
        label="Keterangan (opsional)"
        hint="Untuk mengenalinya di sini."
        fault={faults.description}
      >
        <Input
          value={form.description}
          maxLength={WEBHOOK_DESCRIPTION_MAX}
          onChange={(event) => type({ ...form, description: event.currentTarget.value })}
        />
      </Field>
      <EventFields form={form} fault={faults.events} onChange={type} />
    </FormDialog>
  )
}
