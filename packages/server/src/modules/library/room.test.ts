import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createRoom } from './room.ts'

const MB = 1024 ** 2

/** A disk with 20 GB beside its reserve, and users who may have all of it. */
function roomOfDisk() {
  const granted = { outcome: 'granted', bytes: 20_000 * MB } as const
  return createRoom({
    repo: { usedBytes: async () => 0 },
    reservations: {
      reserve: async () => granted,
      hold: async () => {},
      release: async () => {},
      othersOf: async () => ({ bytes: 0, open: 0 }),
      bytesOf: async () => 0,
    },
    ...{ clock: { now: () => 0 }, log: pino({ level: 'silent' }), dataDir: '/' },
    limitsOf: async () => ({ storageBytes: 20_000 * MB, maxHeight: 1080, maxFps: 30, makingHours: 6 }),
    roomPlanOf: async () => null,
    reserveBytes: () => 1_000,
    freeBytes: async () => 1_000 + 20_000 * MB,
  })
}

it('[SAFE-03] nobody makes a preparation fail by announcing uploads: only what they may write is kept from it', async () => {
  const room = roomOfDisk()
  for (const id of ['a', 'b', 'c', 'd']) await room.reserve({ id, userId: id, kind: 'tus', bytes: 4_990 * MB })
  expect(await room.withDiskShare(1_500 * MB, async () => 'made')).toBe('made')
  await room.assertDiskRoom(1_500 * MB)
  await expect(room.withDiskShare(20_001 * MB, async () => 'made')).rejects.toMatchObject({ code: 'storage_full' })
})
