import type { WebhookSecretAnswer } from '@siarin/contracts/webhooks'
import { Check, Copy } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, KeyText } from '../../../components/field.tsx'
import { formatMoment } from '../../../lib/format.ts'
import { useCopied } from '../../../lib/use-copied.ts'

/** The one time that the secret is shown. */
export function SecretDialog({ made, onClose }: { made: WebhookSecretAnswer; onClose: () => void }) {
  const { secret, data } = made
  const [copied, copy] = useCopied(secret)
  const Icon = copied ? Check : Copy
  return (
    <Dialog
      open
      stays
      onOpenChange={onClose}
      title="Simpan signing secret ini"
      description="Hanya ditampilkan sekali. Dengan secret ini program Anda memastikan bahwa permintaan benar-benar dari sini."
    >
      <div className="grid gap-4">
        <Field id="webhook-secret" label="Signing secret">
          <KeyText value={secret} className="text-sm!" />
        </Field>
        {data.oldSecretUntil && (
          <p className="text-sm text-pretty text-ink-soft">
            Secret lama masih ikut menandatangani sampai{' '}
            <strong className="text-ink tabular-nums">{formatMoment(data.oldSecretUntil)}</strong>, jadi tidak ada
            kiriman yang ditolak selagi Anda memasang yang baru.
          </p>
        )}
        <p className="text-xs text-pretty text-ink-soft">
          Tanda tangannya mengikuti Standard Webhooks: pakai pustaka <span className="font-mono">standardwebhooks</span>{' '}
          untuk bahasa Anda, atau periksa sendiri header <span className="font-mono">webhook-signature</span>.
        </p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button look="secondary" onClick={() => void copy()}>
            <Icon aria-hidden size={18} strokeWidth={1.75} />
            <span aria-live="polite">{copied ? 'Tersalin' : 'Salin'}</span>
          </Button>
          <Button onClick={onClose}>Sudah saya simpan</Button>
        </div>
      </div>
    </Dialog>
  )
}
