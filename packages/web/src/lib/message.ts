import { GLOBAL_MESSAGE_MS } from '@siarin/contracts/limits'

/** `info`: nothing was done and nothing went wrong, such as a list that turned out to be empty. */
export type MessageTone = 'success' | 'info' | 'error'

/** What a screen's banner says for a while. */
export interface Message {
  readonly text: string
  readonly tone: MessageTone
  /** It is about the limit of a plan: it stays longer, leads to the plans and can be closed. */
  readonly aboutPlan?: boolean
  /** A schedule was saved: it leads to the schedules, and stays as long. */
  readonly aboutSchedule?: boolean
}

export type Say = (text: string, tone?: MessageTone, aboutPlan?: boolean) => void

/** Long enough to read two sentences and to reach the link. */
export const PLAN_MESSAGE_MS = 8000

export const messageMs = ({ aboutPlan, aboutSchedule }: Message): number =>
  aboutPlan || aboutSchedule ? PLAN_MESSAGE_MS : GLOBAL_MESSAGE_MS

/** How a list says what was found. */
export const foundTone = (found: readonly unknown[]): MessageTone => (found.length === 0 ? 'info' : 'success')
