import type { ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'

interface ListFrameProps {
  label: string
  state: 'loading' | 'failed' | 'empty' | 'filled'
  emptyText: string
  failedText?: string
  onRetry?: () => void
  children?: ReactNode
}

const SKELETON_ROWS = ['first', 'second', 'third'] as const

/** What the lists of the panel have in common: they scroll inside 400 px and say what they are when they show no rows. */
export function ListFrame({ label, state, emptyText, failedText, onRetry, children }: ListFrameProps) {
  if (state === 'filled') {
    return (
      <ul aria-label={label} className="max-h-[400px] divide-y divide-line overflow-y-auto">
        {children}
      </ul>
    )
  }
  if (state === 'loading') {
    return (
      <div role="status" className="grid gap-3 p-4">
        <span className="sr-only">Memuat…</span>
        {SKELETON_ROWS.map((row) => (
          <div key={row} className="h-14 rounded-control bg-raised" />
        ))}
      </div>
    )
  }
  return (
    <div className="grid justify-items-center gap-4 px-6 py-12 text-center">
      <p className="max-w-[40ch] text-sm text-ink-soft">{state === 'failed' ? failedText : emptyText}</p>
      {state === 'failed' && onRetry && (
        <Button look="secondary" size="small" onClick={onRetry}>
          Coba lagi
        </Button>
      )}
    </div>
  )
}
