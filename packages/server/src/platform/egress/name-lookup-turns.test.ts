import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { onBehalfOf } from '../on-behalf-of.ts'
import { createNameLookup } from './name-lookup.ts'

const asked: string[] = []
let endSlow = (): void => {}
vi.mock('node:dns/promises', () => ({
  lookup: (name: string) => {
    asked.push(name)
    if (!name.startsWith('slow')) return Promise.resolve([{ address: '192.0.2.1' }])
    return new Promise((_, reject) => {
      endSlow = () => reject(new Error('nobody answers'))
    })
  },
}))

it('[SAFE-07] names of this network are asked for by owner, and no more once their caller has given up', async () => {
  const lookup = createNameLookup({ servers: [], answerMs: 500 })
  const slow = onBehalfOf('one', () => ['slow-1', 'slow-2', 'slow-3', 'slow-4'].map((name) => lookup(name)))
  await sleep(50)
  expect(await onBehalfOf('other', () => lookup('neighbour'))).toEqual(['192.0.2.1'])
  expect(await Promise.all(slow)).toEqual([[], [], [], []])
  await sleep(50)
  endSlow()
  await sleep(50)
  expect(asked).toEqual(['slow-1', 'neighbour'])
})
