/** For how long a typed password counts. */
export const CONFIRMED_FOR_MS = 15 * 60_000

export interface Standing {
  /** When the password was last typed in this session. */
  readonly confirmedAt: number | null
  /** The browser that calls is the session's own, and one that its owner has used before or said to trust. */
  readonly fromTrustedDevice: boolean
  /** The call comes from the browser, or at least the address, in which the password was typed. */
  readonly fromWhereTyped: boolean
}

/** Whether a session may do what a stranger with a stolen token, or at a browser left open, must not. */
export const isConfirmed = ({ confirmedAt, fromTrustedDevice, fromWhereTyped }: Standing, now: number): boolean =>
  fromTrustedDevice || (fromWhereTyped && confirmedAt !== null && Math.abs(now - confirmedAt) < CONFIRMED_FOR_MS)
