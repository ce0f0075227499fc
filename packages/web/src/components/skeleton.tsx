import type { ReactNode } from 'react'
import { classes } from '../lib/classes.ts'

/** The place of something that is on its way; give it the size of what comes. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden className={classes('rounded-control bg-raised', className)} />
}

/** Around skeletons: says in words that something is loading. */
export function Loading({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div role="status" className={className}>
      <span className="sr-only">Memuat…</span>
      {children}
    </div>
  )
}
