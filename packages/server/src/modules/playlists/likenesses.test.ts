import { hash } from 'node:crypto'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLikenesses, type KeyedFile } from './likenesses.ts'

let folder: TempDir
let ffprobe: string

beforeAll(async () => {
  folder = await tempDir('likenesses')
  ffprobe = join(folder.path, 'ffprobe')
  await writeFile(ffprobe, '#!/bin/sh\nprintf alike\n')
  await chmod(ffprobe, 0o755)
})
afterAll(() => folder.remove())

const pinned = { path: 'a.mp4', release: () => {} }
const fileOf = (key: string, wait: Promise<unknown> = Promise.resolve()): KeyedFile => ({
  key,
  file: async () => ({ pin: async () => wait.then(() => pinned) }),
})
const ALIKE = hash('sha256', 'alike')
const forever = new Promise<never>(() => {})

describe('[LIST-04] what files have in common', () => {
  it('is kept as a mark, however many tracks a file has', async () => {
    const many = join(folder.path, 'many')
    await writeFile(many, '#!/bin/sh\nseq 1 10000\n', { mode: 0o755 })
    const [one, other] = await createLikenesses(many).of('ani', [fileOf('a'), fileOf('b')], 10_000)
    const [unlike] = await createLikenesses(ffprobe).of('ani', [fileOf('a')], 10_000)
    expect(one).toHaveLength(64)
    expect([other === one, unlike === one]).toEqual([true, false])
  })

  it('is told at once of files that are known, while a thousand of others wait', async () => {
    const likenesses = createLikenesses(ffprobe)
    const own = ['a', 'b'].map((key) => fileOf(key))
    expect(await likenesses.of('ani', own, 10_000)).toEqual([ALIKE, ALIKE])
    const others = Array.from({ length: 1_000 }, (_, index) => fileOf(`other ${index}`, forever))
    void likenesses.of('budi', others, 1)
    const begunMs = performance.now()
    expect(await likenesses.of('ani', own, 10_000)).toEqual([ALIKE, ALIKE])
    expect(performance.now() - begunMs).toBeLessThan(500)
  })

  it('is found out for each owner in turn, and nobody waits for the files of others', async () => {
    const likenesses = createLikenesses(ffprobe)
    const slow = new Promise((resolve) => setTimeout(resolve, 200))
    // The first of them comes from a store that does not answer.
    const others = Array.from({ length: 1_000 }, (_, index) => fileOf(`other ${index}`, index === 0 ? forever : slow))
    void likenesses.of('budi', others, 1)
    expect(await likenesses.of('ani', [fileOf('a'), null, fileOf('b')], 5_000)).toEqual([ALIKE, null, ALIKE])
  })

  it('is found out while the files of others take long to read', async () => {
    const slow = join(folder.path, 'slow')
    await writeFile(slow, '#!/bin/sh\ncase "$*" in *slow*) exec sleep 5;; esac\nprintf alike\n', { mode: 0o755 })
    const likenesses = createLikenesses(slow)
    const slowFile = (key: string): KeyedFile => ({
      key,
      file: async () => ({ pin: async () => ({ ...pinned, path: 'slow.mp4' }) }),
    })
    for (const owner of ['budi', 'cici']) void likenesses.of(owner, [slowFile(owner)], 1)
    expect(await likenesses.of('ani', [fileOf('a')], 4_000)).toEqual([ALIKE])
  })
})
