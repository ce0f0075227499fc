import { setImmediate as settled } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import type { WorkerLeaseRow } from '../store/worker-leases.repo.ts'
import { createStandby } from './standby.ts'

const OTHER = { id: 'other', isLive: true, state: 'up', room: 9, max_streams: 10, cpu: 0, memory: 1 }
const rows = [OTHER] as unknown as WorkerLeaseRow[]

function stage() {
  const running = new Map([['s1', { id: 's1', epoch: 1 }]])
  const setStandbys = vi.fn(async (_changed: readonly { claim: { id: string } }[]) => {})
  const fetches: PromiseWithResolvers<void>[] = []
  const prefetch = vi.fn((_key: string) => {
    const fetch = Promise.withResolvers<void>()
    fetches.push(fetch)
    return fetch.promise
  })
  const standby = createStandby({
    ...{ worker: 'this', running, storage: { prefetch }, log: pino({ level: 'silent' }) },
    assigned: { setStandbys, videosToStandBy: async () => ['v1', 'v2'].map((videoId) => ({ videoId, recipe: null })) },
    library: { findById: async (key: string) => ({ key }), playable: async ({ key }: { key: string }) => ({ key }) },
  } as unknown as Parameters<typeof createStandby>[0])
  return { running, setStandbys, fetches, prefetch, standby }
}

it('one video is fetched ahead at a time, however long it takes, and each stream has its standby all the same', async () => {
  const { running, setStandbys, fetches, prefetch, standby } = stage()
  const rounds = [standby.refresh(rows)]
  await settled()
  running.set('s2', { id: 's2', epoch: 1 })
  rounds.push(standby.refresh(rows), standby.refresh(rows))
  await settled()
  expect(prefetch.mock.calls).toEqual([['v1']])
  expect(setStandbys.mock.calls.flat(2).map(({ claim }) => claim.id)).toEqual(['s1', 's2'])
  fetches[0]?.resolve()
  await settled()
  expect(prefetch.mock.calls).toEqual([['v1'], ['v2']])
  fetches[1]?.resolve()
  await Promise.all(rounds)
  // What was fetched is not fetched again.
  await standby.refresh(rows)
  expect(prefetch).toHaveBeenCalledTimes(2)
})

it('a choice that the database holds up is not asked for again beside it', async () => {
  const { setStandbys, standby, fetches } = stage()
  const written = Promise.withResolvers<void>()
  setStandbys.mockReturnValueOnce(written.promise)
  const rounds = [standby.refresh(rows), standby.refresh(rows)]
  await settled()
  expect(setStandbys).toHaveBeenCalledOnce()
  written.resolve()
  await settled()
  for (let fetch = 0; fetch < 2; fetch++) {
    fetches[fetch]?.resolve()
    await settled()
  }
  await Promise.all(rounds)
})
