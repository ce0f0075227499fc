import { randomBytes } from 'node:crypto'
import { closeSync, constants, ftruncateSync, lstatSync, openSync, statfsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DiskFullError } from '../../errors.ts'
import type { Log } from '../log.ts'
import { giveToFolderOwner } from '../ownership.ts'
import { repeat } from '../repeat.ts'

/** SQLite's log grows to 6 MB before it begins anew; the rest is for rows. */
const RESERVE_BYTES = 8 * 1024 ** 2
const PIECE_BYTES = 1024 ** 2
/** More than any transaction of a broadcast writes. */
const LEAST_FREE_BYTES = 256 * 1024
/** More than a round of those writes that only tell of broadcasts: they take a hundred facts at once, for every receiver. */
const TELLING_BYTES = 4 * 1024 ** 2
const REFILL_MS = 5_000
/** Root may serve another user's folder, who could put a link there. */
const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants

/** Whether those may write that only tell of broadcasts. Not by the reserve's size alone: where it cannot be made there may be room all the same. */
export const leavesRoomForTelling = (freeBytes: number, missingBytes: number): boolean =>
  freeBytes - missingBytes >= TELLING_BYTES

export type DatabaseReserve = ReturnType<typeof createDatabaseReserve>

/**
 * Room that nobody but the database gets: a file of real bytes beside it, given back to the disk piece by piece when the disk is full. So a
 * Stop, the state of a broadcast and the claim of a worker can still be written. The file's size is the only state: several programs share it.
 */
export function createDatabaseReserve(databaseFile: string) {
  const file = `${databaseFile}-reserve`

  const heldBytes = (): number => lstatSync(file, { throwIfNoEntry: false })?.size ?? 0
  const freeBytes = (): number => {
    try {
      const { bavail, bsize } = statfsSync(dirname(databaseFile))
      return bavail * bsize
    } catch {
      // A file system that does not tell is no full one.
      return Number.POSITIVE_INFINITY
    }
  }
  const isFull = (): boolean => freeBytes() < LEAST_FREE_BYTES
  const missingBytes = (): number => Math.max(0, RESERVE_BYTES - heldBytes())

  /** Synchronous, as SQLite is: nobody else can take the room between this and the write that needs it. False: nothing is left. */
  function release(): boolean {
    try {
      const held = heldBytes()
      if (held === 0) return false
      const handle = openSync(file, O_WRONLY | O_NOFOLLOW)
      try {
        ftruncateSync(handle, Math.max(0, held - PIECE_BYTES))
      } finally {
        closeSync(handle)
      }
      return true
    } catch {
      // Somebody else's file: the database's own error says more than ours.
      return false
    }
  }

  /** Takes room back, as far as there is more than the next write needs. */
  async function refill(): Promise<void> {
    if (missingBytes() === 0) return
    // Not zeros: some file systems keep no room for those.
    const piece = randomBytes(65_536)
    const handle = await open(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
    try {
      await giveToFolderOwner(file)
      while (missingBytes() > 0 && freeBytes() > PIECE_BYTES) {
        await handle.write(piece, 0, Math.min(piece.length, missingBytes()))
      }
    } finally {
      await handle.close()
    }
  }

  return {
    release,
    missingBytes,
    refill,
    /** For what cannot be tried again once it has failed: a transaction, the opening of the database. */
    ensureRoom(): void {
      if (isFull()) release()
    },
    /** What only tells of broadcasts waits where this says no: the reserve is for the broadcasts themselves. */
    hasRoomForTelling: (): boolean => leavesRoomForTelling(freeBytes(), missingBytes()),
    /** Refuses what adds to the database while it lives on its reserve: that is for what runs, and for those who make room. */
    async assertWhole(): Promise<void> {
      await refill()
      // Also where the reserve is whole: SQLite's log may have room from before, and is filled without asking the disk.
      if (missingBytes() > 0 || isFull()) throw new DiskFullError('the database lives on its reserve')
    },
    assertWritable(): void {
      if (heldBytes() === 0 && isFull()) throw new DiskFullError('the reserve is used up')
    },
    /** Makes it whole again whenever there is room, and tells the operator when there is none. Answers how to end that. */
    keep: (log: Log): (() => Promise<void>) => keepWhole({ refill, missingBytes, isFull }, log),
  }
}

function keepWhole(
  { refill, missingBytes, isFull }: Pick<DatabaseReserve, 'refill' | 'missingBytes'> & { isFull: () => boolean },
  log: Log,
): () => Promise<void> {
  let toldOf = 0
  return repeat({
    firstAfterMs: REFILL_MS,
    everyMs: REFILL_MS,
    log,
    complaint: 'the reserve of the database could not be made whole',
    async work() {
      await refill()
      // A byte is missing of a reserve that is whole and will be needed with the next write.
      const missing = Math.max(missingBytes(), isFull() ? 1 : 0)
      if (missing > toldOf) {
        log.error({ leftBytes: RESERVE_BYTES - missing }, 'the disk is full: the database lives on its reserve')
      }
      if (missing === 0 && toldOf > 0) log.info('the disk has room again: the reserve of the database is whole')
      toldOf = missing
    },
  })
}
