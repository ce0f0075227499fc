import { expect, it, vi } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { USUAL_TIMINGS } from '../../platform/timings.ts'
import { createAccountRemoval } from './account-removal.ts'

it('[SAFE-07] an account whose rows take long holds up no other', async () => {
  vi.useFakeTimers()
  const marked = new Set(['besar', 'kecil'])
  const isOver = Promise.withResolvers<void>()
  const removal = createAccountRemoval({
    users: {
      markDeleting: async () => {},
      beingDeleted: async () => [...marked].map((userId) => ({ userId, since: 0 })),
      userById: async (id: string) => ({ id }) as never,
      removeUser: async (id) => marked.delete(id),
    },
    owned: {
      stopStreams: async () => true,
      endBroadcasts: async () => true,
      eraseFiles: async () => {},
      removeWebhooks: async () => {},
      eraseRows: (userId) => (userId === 'besar' ? isOver.promise : Promise.resolve()),
    },
    ...{ clock: { now: () => 0 }, log: createLog('silent'), timings: USUAL_TIMINGS },
  })
  removal.start()
  await vi.advanceTimersByTimeAsync(30_000)
  expect([...marked]).toEqual(['besar'])
  isOver.resolve()
  await vi.advanceTimersByTimeAsync(1_000)
  expect([...marked]).toEqual([])
  await removal.stop()
  vi.useRealTimers()
})
