import { type PointerEvent, type ReactNode, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'

/** How far down the handle must be pulled to close the sheet. */
const PULL_PX = 48

interface SheetProps {
  open: boolean
  onClose: () => void
  label: string
  /** While it is closed there is nothing to choose in it, and it says so. */
  children: ReactNode
}

/** A bottom sheet: a native modal dialog, so that focus, Escape and the page behind are the browser's care. */
export function Sheet({ open, onClose, label, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const pulledFrom = useRef<number | null>(null)

  useEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])

  const pulledBy = (event: PointerEvent): number =>
    pulledFrom.current === null ? 0 : Math.max(0, event.clientY - pulledFrom.current)

  const moveTo = (pixels: number): void => {
    if (dialog.current) dialog.current.style.translate = pixels > 0 ? `0 ${pixels}px` : ''
  }

  const endPull = (event: PointerEvent): void => {
    const far = pulledBy(event) > PULL_PX
    pulledFrom.current = null
    moveTo(0)
    if (far) onClose()
  }

  // At the end of the page, so that nothing around its opener can hide it, such as a bar that large screens do not show.
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on the dialog itself is one on its backdrop; Escape is the keyboard's way
    <dialog
      ref={dialog}
      aria-label={label}
      className="sheet fixed inset-x-0 top-auto bottom-0 m-0 max-h-[60dvh] w-full max-w-none overflow-y-auto overscroll-contain rounded-t-card border-t border-line bg-card text-ink shadow-soft open:animate-sheet"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div className="px-3 pb-[calc(1rem+env(safe-area-inset-bottom))]">
        <button
          type="button"
          aria-label="Tutup menu"
          className="mx-auto grid h-11 w-full touch-none place-items-center rounded-control -outline-offset-4"
          onPointerDown={(event) => {
            pulledFrom.current = event.clientY
            event.currentTarget.setPointerCapture(event.pointerId)
          }}
          onPointerMove={(event) => moveTo(pulledBy(event))}
          onPointerUp={endPull}
          onPointerCancel={endPull}
          onClick={onClose}
        >
          <span aria-hidden className="h-1.5 w-12 rounded-full bg-line-strong" />
        </button>
        {open ? children : <p className="px-4 py-3 text-sm text-ink-soft">Pilih menu di bawah.</p>}
      </div>
    </dialog>,
    document.body,
  )
}
