import type { ComponentProps, ReactNode } from 'react'
import { classes } from '../lib/classes.ts'

export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return <section className={classes('rounded-card border border-line bg-card', className)} {...rest} />
}

interface CardHeadingProps {
  title: string
  lead?: ReactNode
  /** Stands at the right end of the heading's line. */
  action?: ReactNode
}

/** What a card is about. The card has its own padding (`p-6`); what follows comes with a margin of 4 or 5. */
export function CardHeading({ title, lead, action }: CardHeadingProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <h2 className="text-base font-bold">{title}</h2>
        {lead && <p className="mt-0.5 max-w-text text-sm text-pretty text-ink-soft">{lead}</p>}
      </div>
      {action}
    </div>
  )
}
