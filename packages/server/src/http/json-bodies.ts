/** Fastify's own megabyte is more than any call needs. A route that takes more says so. */
export const BODY_MAX_BYTES = 64 * 1024
/** The largest call has some hundred, three deep. Half a megabyte of brackets takes as long to read as a thousand calls. */
const MOST_VALUES = 10_000
const MOST_DEEP = 32

/** A body as it came: reading it has to wait for its turn. */
export class UnreadJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'"\\,[]{}'].map((character) =>
  character.charCodeAt(0),
)

/** Whether it holds more than any call has a use for. Looks at each character once, and judges nothing else. */
export function isTooIntricate(text: string): boolean {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COMMA) values++
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      values++
      depth++
      if (depth > MOST_DEEP) return true
    }
    if (values > MOST_VALUES) return true
  }
  return false
}

function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  return text.length
}
