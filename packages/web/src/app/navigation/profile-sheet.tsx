import { CircleUserRound, LogOut } from 'lucide-react'
import { type PointerEvent, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { useLogout } from '../../features/auth/api/use-logout.ts'

/** How far down the handle must be pulled to close the sheet. */
const PULL_PX = 48
const ROW = 'flex h-12 w-full items-center gap-3 rounded-control px-4 text-left text-base font-semibold hover:bg-raised'

interface ProfileSheetProps {
  open: boolean
  onClose: () => void
}

/** The bottom sheet of the mobile Profile tab: a native modal dialog, so focus, Escape and the page behind are the browser's care. */
export function ProfileSheet({ open, onClose }: ProfileSheetProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const pulledFrom = useRef<number | null>(null)
  const logout = useLogout()

  useEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])

  const endPull = (event: PointerEvent): void => {
    if (pulledFrom.current !== null && event.clientY - pulledFrom.current > PULL_PX) onClose()
    pulledFrom.current = null
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on the dialog itself is one on its backdrop; Escape is the keyboard's way
    <dialog
      ref={dialog}
      aria-label="Menu profile"
      className="sheet fixed inset-x-0 top-auto bottom-0 m-0 max-h-[60dvh] w-full max-w-none overflow-y-auto rounded-t-card border-t border-line bg-card text-ink open:animate-rise"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div className="px-3 pb-[calc(1rem+env(safe-area-inset-bottom))]">
        <button
          type="button"
          aria-label="Tutup menu"
          className="mx-auto grid h-11 w-full touch-none place-items-center"
          onPointerDown={(event) => {
            pulledFrom.current = event.clientY
            event.currentTarget.setPointerCapture(event.pointerId)
          }}
          onPointerUp={endPull}
          onClick={onClose}
        >
          <span aria-hidden className="h-1.5 w-12 rounded-full bg-line-strong" />
        </button>
        {open ? (
          <ul>
            <li>
              <Link to="/profile" className={ROW} onClick={onClose}>
                <CircleUserRound aria-hidden size={20} strokeWidth={1.75} />
                My Profile
              </Link>
            </li>
            <li>
              <button
                type="button"
                className={ROW}
                onClick={() => {
                  onClose()
                  void logout()
                }}
              >
                <LogOut aria-hidden size={20} strokeWidth={1.75} />
                Logout
              </button>
            </li>
          </ul>
        ) : (
          <p className="px-4 py-3 text-sm text-ink-soft">Pilih menu di bawah.</p>
        )}
      </div>
    </dialog>
  )
}
