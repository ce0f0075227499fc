import type { Db } from '../../../platform/db/database.ts'
import type { Beats, BeatsOf } from './beats.ts'
import type { Witness } from './redis-witness.ts'

/** What a worker needs of the stores to be one of several. */
export interface Fleet {
  /** Connections of their own, which give up soon: what is looked at late is worth nothing. */
  readonly db: Db
  readonly witness: Witness
  /** Renews the lease, not on the event loop that answers requests. */
  startBeats(of: BeatsOf): Beats
  /** All ffmpegs of this machine may run until then, by `process.hrtime`. */
  onExtended(untilMonotonicMs: bigint): void
  /** Whose processes a program that is started again finds (see warden/run-mark.ts). Left out: no other program ever does. */
  readonly runMark?: string
  /** Whatever other programs have told the workers of. Answers how to stop listening. */
  hear(onHint: (told: string) => void): () => void
}
