import { Check, Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { askConfirmation } from '../../../lib/dialogs.ts'
import { getSession } from '../../../lib/session.ts'
import { settings } from '../../../lib/settings.ts'
import { useCopied } from '../../../lib/use-copied.ts'
import { recoveryFileName, recoveryNote } from '../recovery-note.ts'

/** As a file that can lie beside other important papers. */
function save(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [madeAt] = useState(() => new Date())
  const facts = { brand: settings().brand, madeAt }
  const text = recoveryNote({ ...facts, codes, address: location.origin, email: getSession().user?.email ?? '' })
  const [copied, copy] = useCopied(text)
  const CopyIcon = copied ? Check : Copy
  return (
    <div className="grid gap-4">
      <p className="text-sm text-pretty">
        Simpan sepuluh kode ini di tempat aman. Kalau ponsel Anda hilang, satu kode menggantikan aplikasi, sekali pakai.
        Kode ini tidak ditampilkan lagi.
      </p>
      <ul
        aria-label="Kode pemulihan"
        className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-control border border-line bg-raised p-4 font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={() => void copy()}>
          <CopyIcon aria-hidden size={18} strokeWidth={1.75} />
          <span aria-live="polite">{copied ? 'Copied!' : 'Copy'}</span>
        </Button>
        <Button look="secondary" onClick={() => save(recoveryFileName(facts), text)}>
          <Download aria-hidden size={18} strokeWidth={1.75} />
          Unduh
        </Button>
        <Button onClick={onDone}>Sudah saya simpan</Button>
      </div>
    </div>
  )
}

interface RecoveryCodesDialogProps {
  title: string
  codes: readonly string[]
  onClose: () => void
}

/** Shown once, right after they were made. */
export function RecoveryCodesDialog({ title, codes, onClose }: RecoveryCodesDialogProps) {
  /** A slip outside of the dialog must not take them away. */
  const askToClose = async (): Promise<void> => {
    const consequence =
      'Kode pemulihan tidak ditampilkan lagi. Tanpa kode itu, ponsel yang hilang berarti menunggu administrator.'
    if (await askConfirmation('Tutup tanpa menyimpan kode?', consequence, 'Tutup', 'Kembali')) onClose()
  }
  return (
    <Dialog open onOpenChange={(open) => open || void askToClose()} title={title}>
      <RecoveryCodes codes={codes} onDone={onClose} />
    </Dialog>
  )
}
