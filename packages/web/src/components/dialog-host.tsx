import { CircleAlert } from 'lucide-react'
import { AlertDialog } from 'radix-ui'
import { useEffect, useRef } from 'react'
import { useOpenDialog } from '../lib/dialogs.ts'
import { Button } from './button.tsx'

/**
 * Where the focus was last outside of a dialog. Asking the document when one opens is too late: a form that is being sent has disabled
 * its button, and with that the browser has dropped the focus.
 */
function useFocusBehind() {
  const last = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const remember = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement && !target.closest('[role="alertdialog"]')) last.current = target
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [])
  return last
}

/** Shows what lib/dialogs asks for. One host for the whole app, so that a dialog outlives the screen that asked for it. */
export function DialogHost() {
  const dialog = useOpenDialog()
  const confirmButton = useRef<HTMLButtonElement>(null)
  const behind = useFocusBehind()
  if (!dialog) return null

  return (
    <AlertDialog.Root key={dialog.id} open onOpenChange={(open) => open || dialog.answer(false)}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-50 animate-appear bg-scrim" />
        <AlertDialog.Content
          className="fixed top-1/2 left-1/2 z-50 w-[min(26rem,calc(100vw-2rem))] -translate-1/2 animate-appear rounded-card border border-line bg-card p-6 shadow-soft"
          onOpenAutoFocus={(event) => {
            // Radix focuses the button that refuses; an alert has none.
            if (dialog.kind !== 'alert') return
            event.preventDefault()
            confirmButton.current?.focus({ preventScroll: true })
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            behind.current?.focus({ preventScroll: true })
          }}
        >
          <div className="flex gap-4">
            {dialog.kind === 'alert' && (
              <span className="grid size-10 shrink-0 place-items-center rounded-control bg-warn-wash text-warn-ink">
                <CircleAlert aria-hidden size={20} strokeWidth={1.75} />
              </span>
            )}
            <div className="min-w-0">
              <AlertDialog.Title className="text-base font-bold break-words">{dialog.title}</AlertDialog.Title>
              <AlertDialog.Description className="mt-1 text-sm break-words text-ink-soft">
                {dialog.text}
              </AlertDialog.Description>
            </div>
          </div>
          <div className="mt-6 flex justify-end gap-3">
            {dialog.kind === 'confirmation' && (
              <AlertDialog.Cancel asChild>
                <Button look="quiet">{dialog.refuseLabel}</Button>
              </AlertDialog.Cancel>
            )}
            <AlertDialog.Action asChild onClick={() => dialog.answer(true)}>
              <Button ref={confirmButton} look={dialog.kind === 'alert' ? 'primary' : 'danger'}>
                {dialog.confirmLabel}
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
