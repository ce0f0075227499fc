import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { classes } from '../lib/classes.ts'
import { Button } from './button.tsx'

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: string
  /** It is left by a button of its own alone: what it shows is not shown again. */
  stays?: boolean
  /** For two columns; on a phone it is as wide as any. */
  wide?: boolean
  children: ReactNode
}

/** A form or a detail over the page. A question with yes and no is `askConfirmation` of lib/dialogs. */
export function Dialog({ open, onOpenChange, title, description, stays = false, wide = false, children }: DialogProps) {
  // Radix gives the focus back to its own trigger only, and callers open this with any button.
  const opener = useRef<Element | null>(null)
  return (
    <Radix.Root open={open} onOpenChange={(next) => stays || onOpenChange(next)}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-appear bg-scrim" />
        <Radix.Content
          className={classes(
            'fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] -translate-1/2 animate-appear overflow-y-auto rounded-card border border-line bg-card p-6 shadow-soft',
            wide ? 'w-[min(56rem,calc(100vw-2rem))]' : 'w-[min(30rem,calc(100vw-2rem))]',
          )}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
          }}
          {...(!description && { 'aria-describedby': undefined })}
        >
          <div className={stays ? undefined : 'pr-10'}>
            <Radix.Title className="text-base font-bold">{title}</Radix.Title>
            {description && <Radix.Description className="mt-1 text-sm text-ink-soft">{description}</Radix.Description>}
          </div>
          <div className="mt-5">{children}</div>
          {!stays && (
            <Radix.Close asChild>
              <Button look="quiet" size="icon" aria-label="Tutup" className="absolute! top-3.5 right-3.5">
                <X aria-hidden size={20} strokeWidth={1.75} />
              </Button>
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
