import type { ReactNode } from 'react'

/** A part of an article: a line of its table of contents, a heading that can be linked to, and what follows it. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly body: ReactNode
}
