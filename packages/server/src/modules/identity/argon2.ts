import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** OWASP's: 19 MiB and 2 passes. */
const USUAL = { memoryCost: 19_456, timeCost: 2 }
const SALT_BYTES = 16
const TAG_BYTES = 32
/** As every library of argon2 writes it. */
const ENCODED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

/** argon2id by Node itself: its memory goes back to the system as soon as a hash is done. */
export const argon2At = (cost: Partial<typeof USUAL>) => ({
  async hash(password: string): Promise<string> {
    const { memoryCost: memory, timeCost: passes } = { ...USUAL, ...cost }
    const nonce = randomBytes(SALT_BYTES)
    const of = { message: password, nonce, memory, passes, parallelism: 1, tagLength: TAG_BYTES }
    return `$argon2id$v=19$m=${memory},t=${passes},p=1$${unpadded(nonce)}$${unpadded(await derive('argon2id', of))}`
  },

  /** With the cost that the hash was made with. */
  async verify(encoded: string, password: string): Promise<boolean> {
    const [, memory, passes, parallelism, salt, tag] = ENCODED.exec(encoded) ?? []
    if (!salt || !tag) throw new Error('this is no hash of argon2id')
    const expected = Buffer.from(tag, 'base64')
    const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
    const of = { message: password, nonce: Buffer.from(salt, 'base64'), ...cost, tagLength: expected.length }
    return timingSafeEqual(await derive('argon2id', of), expected)
  },
})
