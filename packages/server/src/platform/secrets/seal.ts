import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import { Secret } from '@siarin/media/secret'

export interface Sealer {
  seal(secret: Secret): string
  /** The same text for the same secret, where it stands in an address that a player has to know again. */
  sealAlike(secret: Secret): string
  open(sealed: string): Secret
  /** The same for the same secret, and of no use for finding it. */
  mark(secret: Secret): string
}

const VERSION = 'v1'
const IV_BYTES = 12
const TAG_BYTES = 16
/** Without it Node takes a tag of four bytes too, and a forged one would be found in an afternoon. */
const WHOLE_TAG = { authTagLength: TAG_BYTES }

/** AES-256-GCM under a key derived from APP_SECRET: what the database holds is of no use without it. */
export function createSealer(appSecret: Secret): Sealer {
  // A key object: plain bytes would be made one again for each text, which costs four times as much as the text.
  const derived = (purpose: string) =>
    createSecretKey(new Uint8Array(hkdfSync('sha256', appSecret.reveal(), 'siarin', purpose, 32)))
  const key = derived('seal-v1')
  const markKey = derived('mark-v1')
  const ivKey = derived('iv-v1')

  function sealWith(iv: Buffer, secret: Secret): string {
    const cipher = createCipheriv('aes-256-gcm', key, iv, WHOLE_TAG)
    const body = Buffer.concat([cipher.update(secret.reveal(), 'utf8'), cipher.final()])
    return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
  }

  return {
    mark: (secret) => createHmac('sha256', markKey).update(secret.reveal()).digest('base64url'),
    seal: (secret) => sealWith(randomBytes(IV_BYTES), secret),
    // An IV that follows from the text meets no other text, which is all that GCM asks of it.
    sealAlike: (secret) =>
      sealWith(createHmac('sha256', ivKey).update(secret.reveal()).digest().subarray(0, IV_BYTES), secret),
    open(sealed) {
      const [version, text] = sealed.split('.')
      if (version !== VERSION || !text) throw new Error('sealed value of an unknown form')
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), WHOLE_TAG)
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      const body = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
      return new Secret(body.toString('utf8'))
    },
  }
}
