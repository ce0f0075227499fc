import { describe, expect, it } from 'vitest'
import type { Storage } from '../../platform/storage/storage.ts'
import type { FileFactsRepo } from './file-facts.repo.ts'
import { createFileFacts } from './file-facts.ts'

const file = (key: string) => ({ key, clipKey: key, fileFrom: 0, fileTo: 10, startSeconds: 0 })

describe('what is known of the files of recordings', () => {
  /** Everything is stored already; it counts how often each is read. */
  function stage(framesOf: (key: string) => number) {
    const reads: string[] = []
    const repo = {
      framesOf: async (key: string) => {
        reads.push(key)
        return Array.from({ length: framesOf(key) }, (_, index) => ({ shown: index, decoded: index }))
      },
    } as unknown as FileFactsRepo
    return { reads, facts: createFileFacts({ storage: {} as Storage, ffprobePath: '', repo }) }
  }
  const steps = () => {
    const counted = { count: 0, step: async () => void counted.count++ }
    return counted
  }

  it('remembers a file that two asked for at once as one', async () => {
    const { reads, facts } = stage((key) => (key === 'long' ? 30_000 : 1))
    const { step } = steps()
    await Promise.all([1, 2].map(() => facts.gridOf('owner', file('long'), { step })))
    await facts.gridOf('owner', file('short'), { step })
    await facts.gridOf('owner', file('long'), { step })
    // 30,001 key frames are fewer than are remembered.
    expect(reads).toEqual(['long', 'long', 'short'])
  })

  it('takes a small step for each file that it has to read, and none for one that it knows', async () => {
    const { facts } = stage(() => 1)
    const counted = steps()
    for (let index = 0; index < 7; index++) await facts.gridOf('owner', file(`${index % 5}`), counted)
    expect(counted.count).toBe(5)
  })
})
