import { Check, Copy } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, KeyText } from '../../../components/field.tsx'
import { useCopied } from '../../../lib/use-copied.ts'

/** After a change of the password, which renews the key too. */
export function NewKeyDialog({ apiKey, onClose }: { apiKey: string; onClose: () => void }) {
  const [copied, copy] = useCopied(apiKey)
  const Icon = copied ? Check : Copy
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Password sudah diganti"
      description="Semua perangkat lain sudah keluar dari akun Anda. API key Anda ikut diganti, dan yang lama tidak berlaku lagi. Pasang kunci baru ini di program yang memakainya."
    >
      <div className="grid gap-4">
        <Field id="new-api-key" label="API key baru">
          <KeyText value={apiKey} className="text-sm!" />
        </Field>
        <div className="flex flex-wrap justify-end gap-3">
          <Button look="secondary" onClick={() => void copy()}>
            <Icon aria-hidden size={18} strokeWidth={1.75} />
            <span aria-live="polite">{copied ? 'Copied!' : 'Copy'}</span>
          </Button>
          <Button onClick={onClose}>Selesai</Button>
        </div>
      </div>
    </Dialog>
  )
}
