import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'

interface DialogFrameProps {
  title: string
  description: string
  children: ReactNode
}

/** What the dialogs of the Live screen have in common; it stands inside a Dialog.Root. */
export function DialogFrame({ title, description, children }: DialogFrameProps) {
  return (
    <Dialog.Portal>
      <Dialog.Overlay className="fixed inset-0 z-50 animate-appear bg-scrim" />
      <Dialog.Content className="fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[min(30rem,calc(100vw-2rem))] -translate-1/2 animate-appear flex-col rounded-card border border-line bg-card p-6 shadow-soft">
        <Dialog.Title className="text-base font-bold">{title}</Dialog.Title>
        <Dialog.Description className="mt-1 text-sm text-ink-soft">{description}</Dialog.Description>
        {children}
      </Dialog.Content>
    </Dialog.Portal>
  )
}
