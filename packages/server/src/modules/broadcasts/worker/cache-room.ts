import type { Log } from '../../../platform/log.ts'
import type { Storage } from '../../../platform/storage/storage.ts'

/** Whether this machine could hold the video of one more stream. */
export function createCacheRoom(storage: Pick<Storage, 'room'>, log: Log) {
  let isFull = false
  let isAsked = false

  async function ask(): Promise<void> {
    const room = await storage.room?.()
    if (!room) return
    const { bytes, usualBytes } = room
    const wasFull = isFull
    isFull = bytes === 0 || bytes < usualBytes
    if (isFull === wasFull) return
    const facts = { bytes, usualBytes: Math.round(usualBytes) }
    if (isFull) log.warn(facts, 'the cache has no room for another video: no more broadcasts are taken on here')
    else log.info(facts, 'the cache has room for another video again')
  }

  return {
    /** As of the last look. */
    isFull: (): boolean => isFull,
    /** Waits for nothing: a disk that hangs must hold up no sweep. */
    refresh(): void {
      if (isAsked) return
      isAsked = true
      ask()
        .catch((error) => log.warn({ err: error }, 'could not ask how much room the cache has'))
        .finally(() => {
          isAsked = false
        })
    },
  }
}
