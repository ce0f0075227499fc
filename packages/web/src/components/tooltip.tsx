import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** A word about a control that shows only an icon. The control still needs its own aria-label: touch has no tooltip. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={300}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            sideOffset={6}
            collisionPadding={8}
            className="z-50 max-w-64 animate-appear rounded-[8px] bg-ink px-2.5 py-1.5 text-xs font-medium text-ground shadow-soft"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
