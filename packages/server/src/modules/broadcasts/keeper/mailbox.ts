/** Events come from many sides; their taker handles one at a time, in the order of their coming. */
export interface Mailbox<T> {
  post(event: T): void
  take(): Promise<T>
  /** Nobody takes anything any more: `drop` gets what is left, and whatever still comes. */
  close(drop: (event: T) => void): void
}

export function createMailbox<T>(): Mailbox<T> {
  const letters: T[] = []
  let taker: ((event: T) => void) | null = null
  let drop: ((event: T) => void) | null = null
  return {
    post(event) {
      if (drop) drop(event)
      else if (taker) {
        const take = taker
        taker = null
        take(event)
      } else letters.push(event)
    },
    take: () =>
      new Promise((resolve) => {
        const letter = letters.shift()
        if (letter === undefined) taker = resolve
        else resolve(letter)
      }),
    close(by) {
      drop = by
      for (const letter of letters.splice(0)) by(letter)
    },
  }
}
