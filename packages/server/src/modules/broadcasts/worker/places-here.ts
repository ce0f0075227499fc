import type { Log } from '../../../platform/log.ts'
import type { MachineShortage } from '../../../platform/process/machine-load.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import type { WorkerLeaseRow } from '../store/worker-leases.repo.ts'
import { createCacheRoom } from './cache-room.ts'

interface PlacesDeps {
  worker: string
  maxStreams: number
  machineShortage: () => MachineShortage | null
  storage: Pick<Storage, 'room'>
  kept: () => number
  isDraining: () => boolean
  /** The program itself is about to end. */
  isEnding: () => boolean
  log: Log
}

/** How many more streams this worker would take. */
export function createPlaces({ worker, maxStreams, machineShortage, storage, log, ...now }: PlacesDeps) {
  const cacheRoom = createCacheRoom(storage, log)
  let hasOthers = false
  let hasRoomElsewhere = false
  const places = (): number => Math.max(0, maxStreams - now.kept())
  // One that drains is still better than none, and one that is full may have the very video.
  const isBetterElsewhere = (): boolean => (now.isDraining() && hasOthers) || (cacheRoom.isFull() && hasRoomElsewhere)

  return {
    room: (): number => (now.isDraining() || machineShortage() || cacheRoom.isFull() ? 0 : places()),
    /** However tight it is: for what was on air. */
    mostRoom: (): number => (now.isEnding() || isBetterElsewhere() ? 0 : places()),
    refresh: cacheRoom.refresh,
    see(rows: readonly WorkerLeaseRow[]): void {
      const others = rows.filter(({ id, isLive, state }) => isLive && state === 'up' && id !== worker)
      hasOthers = others.length > 0
      hasRoomElsewhere = others.some(({ room }) => room > 0)
    },
  }
}
