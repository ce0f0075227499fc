import type { ReactNode } from 'react'

interface PageProps {
  title: string
  lead?: string | undefined
  children?: ReactNode
}

/** The page area of a screen: its heading, one sentence, and what follows. */
export function Page({ title, lead, children }: PageProps) {
  return (
    <div className="mx-auto w-full max-w-page px-4 py-6 md:px-6 md:py-8">
      <h1 className="text-xl font-bold break-words">{title}</h1>
      {lead && <p className="mt-1 max-w-text text-base text-ink-soft">{lead}</p>}
      {children && <div className="mt-6">{children}</div>}
    </div>
  )
}
