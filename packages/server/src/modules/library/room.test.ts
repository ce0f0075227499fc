import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { createRoom } from './room.ts'

const MB = 1024 ** 2

/** A disk with 20 GB beside its reserve, and users who may have all of it. */
function roomOfDisk(usedBytes = async () => 0) {
  const granted = { outcome: 'granted', bytes: 20_000 * MB } as const
  return createRoom({
    repo: { usedBytes },
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

it('[SAFE-07] what a user has is summed up once for all who look at it meanwhile, and for each that is judged by it', async () => {
  const usedBytes = vi.fn(async () => 5 * MB)
  const room = roomOfDisk(usedBytes)
  const uses = await Promise.all(Array.from({ length: 20 }, () => room.use('a')))
  expect(new Set(uses.map(({ used }) => used))).toEqual(new Set([5 * MB]))
  expect(usedBytes).toHaveBeenCalledTimes(1)
  await room.use('a')
  expect(usedBytes).toHaveBeenCalledTimes(2)
  await Promise.all([1, 2].map(() => room.assertReserved('x', 'a', 1)))
  expect(usedBytes).toHaveBeenCalledTimes(4)
})
