import { TriangleAlert } from 'lucide-react'
import type { FormEventHandler, ReactNode } from 'react'
import { Button } from './button.tsx'
import type { ButtonLook } from './button-styles.ts'
import { Dialog } from './dialog.tsx'

interface FormDialogProps {
  title: string
  description: string
  submit: { label: string; busyLabel: string; look?: ButtonLook; disabled: boolean }
  busy: boolean
  /** What the server said against it; what was typed stays. */
  failure: string | null
  /** What the person can do about that, besides trying again. */
  remedy?: ReactNode
  /** For two columns. */
  wide?: boolean
  onSubmit: FormEventHandler<HTMLFormElement>
  onClose: () => void
  children: ReactNode
}

/** A few fields over the page. It is mounted while it is open, so that it never shows what was typed before. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, submit, busy, failure, remedy, wide = false, onSubmit, onClose, children } = props
  return (
    <Dialog open onOpenChange={(open) => open || busy || onClose()} title={title} description={description} wide={wide}>
      <form noValidate onSubmit={onSubmit} className="grid gap-4">
        {children}
        {failure !== null && (
          <p
            role="alert"
            className="flex gap-2 rounded-control border border-warn-line bg-warn-wash px-3.5 py-2.5 text-sm font-medium text-warn-ink"
          >
            <TriangleAlert aria-hidden size={18} strokeWidth={1.75} className="mt-px shrink-0" />
            <span className="grid min-w-0 justify-items-start gap-2 break-words">
              {failure}
              {remedy}
            </span>
          </p>
        )}
        <div className="mt-2 flex flex-wrap justify-end gap-3">
          <Button look="quiet" disabled={busy} onClick={onClose}>
            Batal
          </Button>
          <Button type="submit" look={submit.look ?? 'primary'} busy={busy} disabled={busy || submit.disabled}>
            {busy ? submit.busyLabel : submit.label}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
