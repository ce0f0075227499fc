import { createHmac, randomBytes } from 'node:crypto'
import { Secret } from '@siarin/media/secret'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** As Standard Webhooks has it: its libraries take it as it is. */
export const newSigningSecret = (): Secret => new Secret(`${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`)

interface Signed {
  readonly id: string
  /** The time of this try, not of the event: a receiver refuses what is older than a few minutes. */
  readonly atMs: number
  readonly body: string
}

/** The headers by which a receiver knows who sent this. With several secrets it has a signature of each: one of them has to fit. */
export function signedHeaders({ id, atMs, body }: Signed, secrets: readonly Secret[]): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.reveal().slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { ...shownHeaders({ id, atMs }), 'webhook-signature': signatures.join(' ') }
}

/** The same without the signature, for the log. */
export const shownHeaders = ({ id, atMs }: Omit<Signed, 'body'>): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'Siarin-Webhooks/1',
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(atMs / 1000)),
})
