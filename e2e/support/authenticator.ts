import { stepAt, totpAt } from '../../packages/server/src/modules/identity/totp.ts'

/** The app on a person's phone: each code is the next one, since each counts once. A phone may be half a minute ahead. */
export function authenticator(secret: string): () => string {
  let last = 0
  return () => {
    last = Math.max(last + 1, stepAt(Date.now()) - 1)
    return totpAt(secret.replaceAll(' ', ''), last)
  }
}
