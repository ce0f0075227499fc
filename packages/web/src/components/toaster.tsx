import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { CSSProperties } from 'react'
import { Toaster as Sonner } from 'sonner'

const COLOURS = {
  '--normal-bg': 'var(--card)',
  '--normal-text': 'var(--ink)',
  '--normal-border': 'var(--line)',
  '--border-radius': '12px',
} as CSSProperties

export function Toaster() {
  return (
    <Sonner
      position="top-center"
      offset={12}
      // Below the top bar of a phone, which has the tally.
      mobileOffset={{ top: 64, left: 12, right: 12 }}
      containerAriaLabel="Pemberitahuan"
      style={COLOURS}
      toastOptions={{
        classNames: {
          toast: 'font-sans! shadow-soft!',
          title: 'text-sm! font-semibold!',
          description: 'text-sm! text-ink-soft!',
        },
      }}
      icons={{
        success: <CircleCheck aria-hidden size={20} strokeWidth={1.75} className="text-accent-ink" />,
        warning: <TriangleAlert aria-hidden size={20} strokeWidth={1.75} className="text-warn-ink" />,
      }}
    />
  )
}
