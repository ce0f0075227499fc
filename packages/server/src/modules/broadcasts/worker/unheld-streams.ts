import { CacheFullError } from '../../../platform/storage/cache-full-error.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import { PlaylistUnplayableError } from '../sequence/source-errors.ts'

/** Streams that cannot begin here, since this machine has no room for their video. Another machine may have it. */
export function createUnheldStreams(storage: Pick<Storage, 'room'>) {
  const ids = new Set<string>()

  async function isForRoom(error: unknown): Promise<boolean> {
    if (error instanceof CacheFullError) return true
    // A list passes over an item that cannot be had, whatever the cause.
    if (!(error instanceof PlaylistUnplayableError)) return false
    const room = await storage.room?.().catch(() => null)
    return Boolean(room && room.bytes < room.usualBytes)
  }

  return {
    ids: ids as ReadonlySet<string>,
    forget: (streamId: string): void => void ids.delete(streamId),
    /** `start`, with its failures noted. */
    noting:
      <Wanted extends unknown[], Started>(streamId: string, start: (...wanted: Wanted) => Promise<Started>) =>
      async (...wanted: Wanted): Promise<Started> => {
        try {
          const started = await start(...wanted)
          ids.delete(streamId)
          return started
        } catch (error) {
          if (await isForRoom(error)) ids.add(streamId)
          throw error
        }
      },
  }
}
