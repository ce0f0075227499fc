const MINUTE_MS = 60_000

export interface GuessRules {
  readonly windowMs: number
  /** Wrong ones for one account from one address, or from one browser that is known to it. */
  readonly failuresEach: number
  /** Wrong ones for one account from all strangers together. */
  readonly failuresOfStrangers: number
  readonly firstWaitMs: number
  readonly longestWaitMs: number
}

export const LOGIN_RULES: GuessRules = {
  windowMs: 10 * MINUTE_MS,
  failuresEach: 10,
  failuresOfStrangers: 30,
  firstWaitMs: 5_000,
  longestWaitMs: 5 * MINUTE_MS,
}

/** A code has six digits: far fewer guesses find it. */
export const CODE_RULES: GuessRules = { ...LOGIN_RULES, failuresOfStrangers: 10, firstWaitMs: 5 * MINUTE_MS }

/** How long strangers wait for the next try at an account for which they were wrong so often. It doubles with each, up to its bound. */
export function strangersWaitMs(failures: number, rules: GuessRules): number {
  const over = failures - rules.failuresOfStrangers
  return over < 0 ? 0 : Math.min(rules.longestWaitMs, rules.firstWaitMs * 2 ** over)
}
