import { createECDH } from 'node:crypto'
import { Secret } from '@siarin/media/secret'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'

export interface PushKeys {
  readonly publicKey: string
  readonly privateKey: Secret
}

interface PushKeysDeps {
  readonly db: Db
  readonly sealer: Sealer
  readonly clock: Clock
}

const ID = 'vapid'

/** Made once and kept in a row, for all programs of this installation: with other keys every subscription of every browser would be lost. */
export function createPushKeys({ db, sealer, clock }: PushKeysDeps): () => Promise<PushKeys> {
  let known: Promise<PushKeys> | null = null

  async function load(): Promise<PushKeys> {
    const row = (await read()) ?? (await make())
    return { publicKey: row.public_key, privateKey: sealer.open(row.private_sealed) }
  }

  const read = () =>
    db.selectFrom('push_keys').select(['public_key', 'private_sealed']).where('id', '=', ID).executeTakeFirst()

  async function make() {
    const pair = createECDH('prime256v1')
    pair.generateKeys()
    // A number may begin with zeros, which Node leaves out; push services want all 32 bytes.
    const secret = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()])
      .subarray(-32)
      .toString('base64url')
    await db
      .insertInto('push_keys')
      .values({
        id: ID,
        public_key: pair.getPublicKey('base64url', 'uncompressed'),
        private_sealed: sealer.seal(new Secret(secret)),
        created_at: clock.now(),
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
    // If two programs made some at once, both take those that were written.
    return db
      .selectFrom('push_keys')
      .select(['public_key', 'private_sealed'])
      .where('id', '=', ID)
      .executeTakeFirstOrThrow()
  }

  return () => {
    known ??= load().catch((error) => {
      known = null
      throw error
    })
    return known
  }
}
