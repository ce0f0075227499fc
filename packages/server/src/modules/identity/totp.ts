import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** RFC 4648, as authenticator apps take it. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const STEP_MS = 30_000
const DIGITS = 6
const SECRET_BYTES = 20
/** A clock of a telephone may be half a minute off, and typing takes its time. */
const DRIFT_STEPS = 1

export function toBase32(bytes: Uint8Array): string {
  let [text, bits, held] = ['', 0, 0]
  for (const byte of bytes) {
    held = (held << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(held >>> (bits - 5)) & 31]
    held &= (1 << bits) - 1
  }
  return bits > 0 ? text + ALPHABET[(held << (5 - bits)) & 31] : text
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = []
  let [bits, held] = [0, 0]
  for (const letter of text) {
    held = ((held << 5) | ALPHABET.indexOf(letter)) & 0xffff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((held >>> bits) & 255)
    }
  }
  return Buffer.from(bytes)
}

export const newTotpSecret = (): string => toBase32(randomBytes(SECRET_BYTES))

/** The code of one step, by RFC 6238 with SHA-1, which is what every app knows. */
export function totpAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS
  return String(number).padStart(DIGITS, '0')
}

export const stepAt = (now: number): number => Math.floor(now / STEP_MS)

/** The step whose code it is, so that it can be made to count once; null: of none around now. */
export function matchingStep(secret: string, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const typed = Buffer.from(code)
  for (let drift = -DRIFT_STEPS; drift <= DRIFT_STEPS; drift++) {
    const step = stepAt(now) + drift
    if (timingSafeEqual(Buffer.from(totpAt(secret, step)), typed)) return step
  }
  return null
}

/** What the QR code says to the app. */
export function totpUri(secret: string, brand: string, account: string): string {
  const label = `${encodeURIComponent(brand)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(brand)}&algorithm=SHA1&digits=6&period=30`
}
