import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tempDir } from '@siarin/testkit/temp-dir'
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

describe('[SAFE-07] what is found out of files of recordings', () => {
  /** Each probe is over at once. `isAway`: the store does not bring the file. */
  function stage(isAway: (key: string) => boolean = () => false, ffprobePath = '/bin/true') {
    const begun: string[] = []
    const storage = {
      async pin(key: string) {
        begun.push(key)
        if (isAway(key)) await new Promise(() => {})
        return { path: key, release: () => {} }
      },
    } as unknown as Storage
    const repo = { likenessOf: async () => null, keepLikeness: async () => {} } as unknown as FileFactsRepo
    return { begun, facts: createFileFacts({ storage, ffprobePath, repo }) }
  }

  it('is found out for the owners in turn, however much one of them asks for', async () => {
    const { begun, facts } = stage()
    const many = Array.from({ length: 30 }, (_, index) => facts.likenessOf('a', `a${index}`))
    await facts.likenessOf('b', 'b0')
    expect(begun.indexOf('b0')).toBeLessThanOrEqual(3)
    await Promise.all(many)
  })

  it('waits for nobody whose files the store does not bring', async () => {
    const { facts } = stage((key) => key.startsWith('a'))
    for (const owner of ['a', 'away', 'also away']) void facts.likenessOf(owner, `a ${owner}`)
    expect(await Promise.race([facts.likenessOf('b', 'b0'), sleep(2_000, 'waits')])).not.toBe('waits')
  })

  it('waits for nobody whose files take long to read', async () => {
    const folder = await tempDir('slow-facts')
    const ffprobe = join(folder.path, 'ffprobe')
    await writeFile(ffprobe, '#!/bin/sh\ncase "$*" in *slow*) exec sleep 20;; esac\n', { mode: 0o755 })
    const { facts } = stage(() => false, ffprobe)
    const gone = new AbortController()
    const slow = ['a', 'b', 'c', 'd'].map((owner) => facts.likenessOf(owner, `slow ${owner}`, gone.signal))
    await sleep(200)
    const begunMs = performance.now()
    await facts.likenessOf('neighbour', 'n0')
    // Two pairs give way after a second and a half each.
    expect(performance.now() - begunMs).toBeLessThan(15_000)
    const againMs = performance.now()
    await facts.likenessOf('neighbour', 'n1')
    expect(performance.now() - againMs).toBeLessThan(1_000)
    gone.abort()
    await Promise.allSettled(slow)
    await folder.remove()
  }, 30_000)

  it('is not found out any more once nobody wants it', async () => {
    const { begun, facts } = stage((key) => key === 'a0')
    void facts.likenessOf('a', 'a0')
    const gone = new AbortController()
    const unwanted = facts.likenessOf('a', 'a1', gone.signal)
    await sleep(10)
    gone.abort(new Error('gone'))
    await expect(unwanted).rejects.toThrow('gone')
    expect(begun).toEqual(['a0'])
  })
})

describe('[SAFE-07] what files of recordings have in common', () => {
  const parametersOf = (sound: string): string =>
    Array.from({ length: 400 }, (_, track) => `codec_name=${track === 1 ? sound : 'h264'}|time_base=1/90000`).join('\n')

  it('is kept as a mark, however many tracks they have, and is the same for what earlier versions kept', async () => {
    const folder = await tempDir('file-facts')
    const ffprobe = join(folder.path, 'ffprobe')
    // It says what stands in the file, which comes last.
    await writeFile(ffprobe, '#!/bin/sh\nfor last; do :; done\ncat "$(echo "$last" | cut -c6-)"\n', { mode: 0o755 })
    const keyOf = async (name: string, sound: string): Promise<string> => {
      await writeFile(join(folder.path, name), parametersOf(sound))
      return join(folder.path, name)
    }
    const [one, other, third] = [await keyOf('one', 'aac'), await keyOf('other', 'aac'), await keyOf('third', 'mp3')]
    const stored = new Map([[other, parametersOf('aac')]])
    const storage = { pin: async (key: string) => ({ path: key, release: () => {} }) } as unknown as Storage
    const repo = {
      likenessOf: async (key: string) => stored.get(key) ?? null,
      keepLikeness: async (_: string, key: string, likeness: string) => void stored.set(key, likeness),
    } as unknown as FileFactsRepo
    const { likenessOf } = createFileFacts({ storage, ffprobePath: ffprobe, repo })
    const marks = [await likenessOf('a', one), await likenessOf('a', other), await likenessOf('a', third)]
    expect(marks[1]).toBe(marks[0])
    expect(marks[2]).not.toBe(marks[0])
    expect(marks.map((mark) => mark.includes('codec_name=aac'))).toEqual([true, true, false])
    expect(Math.max(...marks.map(({ length }) => length), stored.get(one)?.length ?? Infinity)).toBeLessThan(100)
    expect(await likenessOf('a', one)).toBe(marks[0])
    await folder.remove()
  })
})
