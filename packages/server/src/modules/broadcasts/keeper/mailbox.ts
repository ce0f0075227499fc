/** Events come from many sides; their taker handles one at a time, in the order of their coming. */
export interface Mailbox<T> {
  post(event: T): void
  take(): Promise<T>
}

export function createMailbox<T>(): Mailbox<T> {
  const letters: T[] = []
  let taker: ((event: T) => void) | null = null
  return {
    post(event) {
      if (taker) {
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
  }
}
