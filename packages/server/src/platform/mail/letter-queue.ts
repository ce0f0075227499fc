/** The recipients in turn: one to whom many letters go holds up nobody to whom one goes, and is the first to lose some. */
export function createLetterQueue<T>(recipientOf: (item: T) => string, mostEach: number) {
  /** In the order in which the recipients are next. */
  const waiting = new Map<string, T[]>()
  let size = 0

  function longest(): T[] {
    let most: T[] = []
    for (const own of waiting.values()) if (own.length > most.length) most = own
    return most
  }

  return {
    size: (): number => size,
    /** False: as many as may wait for this recipient already. */
    add(item: T): boolean {
      const recipient = recipientOf(item).toLowerCase()
      const own = waiting.get(recipient) ?? []
      if (own.length >= mostEach) return false
      own.push(item)
      waiting.set(recipient, own)
      size++
      return true
    },
    next(): T | undefined {
      const [first] = waiting
      if (!first) return undefined
      const [recipient, own] = first
      const item = own.shift()
      waiting.delete(recipient)
      if (own.length > 0) waiting.set(recipient, own)
      size--
      return item
    },
    /** Takes out the newest of the recipient for whom most wait; undefined: for none do several. */
    takeFromLongest(): T | undefined {
      const own = longest()
      if (own.length < 2) return undefined
      size--
      return own.pop()
    },
  }
}
