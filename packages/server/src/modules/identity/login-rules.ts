const MINUTE_MS = 60_000

export const LOGIN_RULES = {
  windowMs: 10 * MINUTE_MS,
  /** Wrong passwords for one account from one address. */
  failuresPerPair: 10,
  /** Wrong passwords for one account from everywhere: more than its owner ever mistypes. */
  failuresPerAccount: 50,
  firstWaitMs: 5_000,
  longestWaitMs: 5 * MINUTE_MS,
} as const

/**
 * How long an address has to wait after a wrong password for an account for which there were so many from everywhere. The wait grows with
 * the attack. It is asked only of an address that was wrong before: whoever has the right password gets in at the first try.
 */
export function waitAfterFailure(failuresOfAccount: number): number {
  const over = failuresOfAccount - LOGIN_RULES.failuresPerAccount
  if (over <= 0) return 0
  const doublings = Math.floor(over / LOGIN_RULES.failuresPerAccount)
  return Math.min(LOGIN_RULES.longestWaitMs, LOGIN_RULES.firstWaitMs * 2 ** doublings)
}
