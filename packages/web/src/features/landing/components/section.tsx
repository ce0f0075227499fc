import type { ReactNode } from 'react'
import { classes } from '../../../lib/classes.ts'

interface SectionProps {
  id: string
  title: string
  lead?: ReactNode
  /** Sections alternate between the ground and a card's colour. */
  onCard?: boolean
  children: ReactNode
}

export function Section({ id, title, lead, onCard = false, children }: SectionProps) {
  return (
    <section
      id={id}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      className={classes('scroll-mt-14 outline-none md:scroll-mt-16', onCard && 'border-y border-line bg-card')}
    >
      <div className="mx-auto max-w-page px-4 py-16 md:px-6 md:py-24">
        <div className="mx-auto max-w-[44rem] text-center">
          <h2 id={`${id}-title`} className="text-xl font-bold md:text-2xl">
            {title}
          </h2>
          {lead && <p className="mx-auto mt-4 max-w-text text-base text-pretty text-ink-soft">{lead}</p>}
        </div>
        <div className="mt-10 md:mt-14">{children}</div>
      </div>
    </section>
  )
}
