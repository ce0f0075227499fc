const MASK = '[secret]'

/**
 * A value that must never reach a log, a JSON body or an error message by accident: whatever prints it gets the mask.
 * Only `reveal()` gives the value, so a search for that word finds every place that lets one out.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  /** Takes as long for a near miss as for a far one, so that timing tells nothing about the value. */
  equals(other: Secret): boolean {
    const mine = this.#value
    const theirs = other.#value
    let difference = mine.length ^ theirs.length
    for (let i = 0; i < mine.length; i++) {
      difference |= mine.charCodeAt(i) ^ theirs.charCodeAt(i % Math.max(theirs.length, 1))
    }
    return difference === 0
  }

  toString(): string {
    return MASK
  }

  toJSON(): string {
    return MASK
  }

  /** Node's console and its error reports look for this symbol; it is global, so no import of node:util is needed. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return MASK
  }
}
