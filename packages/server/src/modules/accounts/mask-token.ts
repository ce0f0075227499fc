const SHOWN = 4
/** The end of a shorter token would tell too much. */
const SHORTEST_SHOWN = 12

/** Enough to tell two of one's own tokens apart, and of no use to anybody else. */
export const maskToken = (token: string): string =>
  `••••••••${token.length >= SHORTEST_SHOWN ? token.slice(-SHOWN) : ''}`
