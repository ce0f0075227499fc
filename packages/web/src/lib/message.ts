/** `info`: nothing was done and nothing went wrong, such as a list that turned out to be empty. */
export type MessageTone = 'success' | 'info' | 'error'

/** What a screen's banner says for a while. */
export interface Message {
  readonly text: string
  readonly tone: MessageTone
}

export type Say = (text: string, tone?: MessageTone) => void

/** How a list says what was found. */
export const foundTone = (found: readonly unknown[]): MessageTone => (found.length === 0 ? 'info' : 'success')
