import { createCipheriv, createECDH, createPrivateKey, type ECDH, hkdfSync, randomBytes, sign } from 'node:crypto'
import type { PushKeys } from './push-keys.ts'
import type { PushSubscription } from './push-subscription.ts'

const SALT_BYTES = 16
/** One record holds all of it: a push has at most this many bytes. */
const RECORD_BYTES = 4_096
const TAG_BYTES = 16
/** Ends the last record. */
const LAST_RECORD = Buffer.from([2])
/** Half of what push services take at most, so that a clock may be wrong by hours. */
const SIGNATURE_SECONDS = 12 * 3600

const derive = (input: Buffer, salt: Buffer, info: Buffer | string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', input, salt, info, bytes))

/** RFC 8188: a text as one record, behind a header that names the salt and the sender's key. */
export function sealRecord(text: string, { key, salt, keyId }: { key: Buffer; salt: Buffer; keyId: Buffer }): Buffer {
  const contentKey = derive(key, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(key, salt, 'Content-Encoding: nonce\0', 12)
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce, { authTagLength: TAG_BYTES })
  const size = Buffer.alloc(4)
  size.writeUInt32BE(RECORD_BYTES)
  const header = [salt, size, Buffer.from([keyId.length]), keyId]
  return Buffer.concat([
    ...[...header, cipher.update(text, 'utf8'), cipher.update(LAST_RECORD), cipher.final()],
    cipher.getAuthTag(),
  ])
}

/** What only a test has a say in: each push has its own. */
interface Chosen {
  readonly salt: Buffer
  readonly sender: ECDH
}

function chooseNew(): Chosen {
  const sender = createECDH('prime256v1')
  sender.generateKeys()
  return { salt: randomBytes(SALT_BYTES), sender }
}

/** RFC 8291: only the browser of this subscription can read it. */
export function sealForBrowser(
  text: string,
  { p256dh, auth }: PushSubscription['keys'],
  { salt, sender }: Chosen = chooseNew(),
): Buffer {
  const browser = Buffer.from(p256dh, 'base64url')
  const keyId = sender.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser, keyId])
  const key = derive(sender.computeSecret(browser), Buffer.from(auth, 'base64url'), info, 32)
  return sealRecord(text, { key, salt, keyId })
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

interface Signed {
  /** Whose push it is: a signature for one service is worth nothing at another. */
  readonly endpoint: string
  /** Whom the service may write to about us. */
  readonly contact: string
  readonly now: number
}

/** RFC 8292: the value of `Authorization`, by which a push service knows that we are those whom the browser subscribed to. */
export function vapidAuthorization({ publicKey, privateKey }: PushKeys, { endpoint, contact, now }: Signed): string {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1000) + SIGNATURE_SECONDS, sub: contact }
  const words = `${encoded({ typ: 'JWT', alg: 'ES256' })}.${encoded(claims)}`
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const key = createPrivateKey({
    key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', d: privateKey.reveal() },
    format: 'jwk',
  })
  const signature = sign('sha256', Buffer.from(words), { key, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${words}.${signature.toString('base64url')}, k=${publicKey}`
}
