import type { Db } from '../../../platform/db/database.ts'
import type { Witness } from './redis-witness.ts'

/** What a worker needs of the stores to be one of several. */
export interface Fleet {
  /** Connections of their own, which give up soon: a beat must not wait behind anything. */
  readonly db: Db
  readonly witness: Witness
  /** All ffmpegs of this machine may run until then, by `process.hrtime`. */
  onExtended(untilMonotonicMs: bigint): void
  /** Whose processes a program that is started again finds (see warden/run-mark.ts). Left out: no other program ever does. */
  readonly runMark?: string
  /** Whatever other programs have told the workers of. Answers how to stop listening. */
  hear(onHint: (told: string) => void): () => void
}
