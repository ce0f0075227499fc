import type { AskRoom, Room } from './bigo-client.ts'
import { noRoom } from './read-room.ts'

export interface BigoRooms {
  /** No older than a few seconds; who asks at the same time shares one call. */
  ask(siteId: string): Promise<Room>
  /** One that does not answer hides no other. */
  askAll(siteIds: readonly string[]): Promise<Room[]>
}

const FRESH_MS = 5_000
const KEPT_MAX = 2_000
const AT_ONCE = 8
/** Where Bigo hangs, a caller with many rooms waits this long and one call more, not one call after the other. */
const PATIENCE_MS = 8_000

export function createBigoRooms({ ask, now }: { ask: AskRoom; now: () => number }): BigoRooms {
  const kept = new Map<string, { at: number; room: Promise<Room> }>()

  function fresh(siteId: string): Promise<Room> {
    const known = kept.get(siteId)
    if (known && Math.abs(now() - known.at) < FRESH_MS) return known.room
    const room = ask(siteId)
    kept.delete(siteId)
    kept.set(siteId, { at: now(), room })
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value ?? siteId)
    return room
  }

  return {
    ask: fresh,
    async askAll(siteIds) {
      const rooms: Room[] = siteIds.map(() => ({ ...noRoom('unreachable'), url: null }))
      const overdue = performance.now() + PATIENCE_MS
      const queue = siteIds.entries()
      const askNext = async () => {
        for (const [index, siteId] of queue) {
          if (performance.now() > overdue) return
          rooms[index] = await fresh(siteId)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, askNext))
      return rooms
    },
  }
}
