import type { ReactNode } from 'react'

interface PageProps {
  title: ReactNode
  lead?: ReactNode
  /** The one primary action of the screen; stands at the heading's right end, below it on a phone. */
  action?: ReactNode
  children?: ReactNode
}

/** The page area of a screen: its heading, one sentence, and what follows. */
export function Page({ title, lead, action, children }: PageProps) {
  return (
    <div className="mx-auto w-full max-w-page px-4 py-6 md:px-6 md:py-8">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="text-xl font-bold break-words">{title}</h1>
          {lead && <p className="mt-1 max-w-text text-base text-pretty text-ink-soft">{lead}</p>}
        </div>
        {action}
      </div>
      {children && <div className="mt-6">{children}</div>}
    </div>
  )
}
