import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CacheFullError } from '../src/platform/storage/cache-full-error.ts'
import { openFileCache } from '../src/platform/storage/file-cache.ts'
import { NotStoredError } from '../src/platform/storage/storage.ts'

const MODIFIED = new Date('2026-03-01T10:00:00Z')

describe('the copies of stored files on a machine', () => {
  let folder: TempDir
  let fetched: string[]
  let removed: Set<string>
  beforeEach(async () => {
    folder = await tempDir('cache')
    fetched = []
    removed = new Set()
  })
  afterEach(() => folder.remove())

  /** Each file has a hundred bytes. */
  const open = ({ maxBytes = 250, reserveBytes = 0, fault = '', mostCopies = 100 } = {}) =>
    openFileCache({
      ...{ root: folder.path, maxBytes, reserveBytes, mostCopies, log: pino({ level: 'silent' }) },
      head: async (key) =>
        key.includes('none') || removed.has(key)
          ? null
          : { bytes: key.includes('large') ? 900 : 100, etag: `"${key}"`, modifiedAt: MODIFIED },
      async fetch(key, file) {
        fetched.push(key)
        await writeFile(file, Buffer.alloc(fault === key ? 40 : 100, key.at(-1)))
        await sleep(20)
        if (fault === key) throw new Error('the store broke off')
      },
    })
  const files = async () =>
    (await readdir(folder.path, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort()
  const isKept = (key: string) =>
    waitFor('it to be kept', async () => existsSync(join(folder.path, `u/v/.${key}.facts`)))

  it('are fetched once for all who ask, and found by the next run', async () => {
    const cache = await open()
    const pins = await Promise.all(Array.from({ length: 5 }, () => cache.pin('u/v/a')))
    expect(fetched).toEqual(['u/v/a'])
    expect(await readFile(pins[0]?.path ?? '', 'latin1')).toBe('a'.repeat(100))
    expect(cache.factsOf('u/v/a')).toEqual({ bytes: 100, etag: '"u/v/a"', modifiedAt: MODIFIED })
    await isKept('a')
    const next = await open()
    expect(next.factsOf('u/v/a')).toEqual({ bytes: 100, etag: '"u/v/a"', modifiedAt: MODIFIED })
    await next.pin('u/v/a')
    expect(fetched).toHaveLength(1)
  })

  it('go once another machine has removed the file, but not while they are pinned', async () => {
    const cache = await open()
    const held = await cache.pin('u/v/a')
    ;(await cache.pin('u/v/b')).release()
    await cache.forgetGone()
    expect(await files()).toEqual(expect.arrayContaining(['a', 'b']))
    removed.add('u/v/a').add('u/v/b')
    await cache.forgetGone()
    expect([cache.factsOf('u/v/a')?.bytes, cache.factsOf('u/v/b')]).toEqual([100, null])
    expect(existsSync(held.path)).toBe(true)
    held.release()
    await cache.forgetGone()
    expect((await files()).filter((name) => !name.startsWith('.'))).toEqual([])
  })

  it('go in the order in which they were last used, and never while they are pinned', async () => {
    const cache = await open()
    const first = await cache.pin('u/v/a')
    ;(await cache.pin('u/v/b')).release()
    await sleep(5)
    first.release()
    ;(await cache.pin('u/v/c')).release()
    expect(['a', 'b', 'c'].map((name) => cache.factsOf(`u/v/${name}`) !== null)).toEqual([true, false, true])
    const held = [await cache.pin('u/v/a'), await cache.pin('u/v/c')]
    await expect(cache.pin('u/v/d')).rejects.toBeInstanceOf(CacheFullError)
    held[0]?.release()
    await cache.pin('u/v/d')
    expect(['a', 'c', 'd'].map((name) => cache.factsOf(`u/v/${name}`) !== null)).toEqual([false, true, true])
    expect((await files()).filter((name) => !name.startsWith('.'))).toEqual(['c', 'd'])
  })

  it('of an earlier run stay for a while: what it sent may go on', async () => {
    const first = await open()
    for (const key of ['a', 'b']) {
      await first.pin(`u/v/${key}`)
      await isKept(key)
    }
    const next = await open()
    await expect(next.pin('u/v/c')).rejects.toBeInstanceOf(CacheFullError)
    // Who has taken it over, and let it go, says that it may.
    ;(await next.pin('u/v/a')).release()
    await next.pin('u/v/c')
    expect(next.factsOf('u/v/b')).not.toBeNull()
  })

  it('say how large a file would find room beside those that are pinned', async () => {
    const cache = await open()
    expect(await cache.room()).toEqual({ bytes: 250, usualBytes: 0 })
    const first = await cache.pin('u/v/a')
    ;(await cache.pin('u/v/b')).release()
    expect(await cache.room()).toEqual({ bytes: 150, usualBytes: 100 })
    const second = await cache.pin('u/v/b')
    expect(await cache.room()).toEqual({ bytes: 50, usualBytes: 100 })
    for (const { release } of [first, second]) release()
    expect((await cache.room()).bytes).toBe(250)
    const onFullDisk = await open({ reserveBytes: Number.MAX_SAFE_INTEGER })
    expect((await onFullDisk.room()).bytes).toBe(0)
  })

  it('stay where a file comes that finds no room beside those that are pinned, whatever goes', async () => {
    const cache = await open({ maxBytes: 1_000 })
    await cache.pin('u/v/a')
    await cache.pin('u/v/b')
    ;(await cache.pin('u/v/c')).release()
    await expect(cache.pin('u/v/large')).rejects.toThrow(CacheFullError)
    expect(await files()).toContain('c')
  })

  it('leave the disk its reserve', async () => {
    const cache = await open({ reserveBytes: Number.MAX_SAFE_INTEGER })
    await expect(cache.pin('u/v/a')).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(fetched).toEqual([])
  })

  it('are there whole or not at all', async () => {
    const cache = await open({ fault: 'u/v/a' })
    await expect(cache.pin('u/v/a')).rejects.toThrow('broke off')
    await expect(cache.pin('u/v/none')).rejects.toBeInstanceOf(NotStoredError)
    expect(await files()).toEqual([])
    ;(await cache.pin('u/v/b')).release()
    await isKept('b')
    await writeFile(join(folder.path, 'u/v/b'), 'cut off')
    await writeFile(join(folder.path, 'u/v/.c.part'), 'half')
    await writeFile(join(folder.path, 'u/v/d'), 'nobody said that it is whole')
    const next = await open()
    expect(next.factsOf('u/v/b')).toBeNull()
    expect(await files()).toEqual([])
  })

  it('go with what was removed: at once, or with the last who needs it', async () => {
    const cache = await open({ maxBytes: 1_000 })
    const pin = await cache.pin('u/v/a')
    ;(await cache.pin('u/v/b')).release()
    ;(await cache.pin('u/w/c')).release()
    await cache.forget('u/v/')
    expect([cache.factsOf('u/v/a'), cache.factsOf('u/v/b')]).toEqual([null, null])
    expect(await readFile(pin.path, 'latin1')).toHaveLength(100)
    pin.release()
    await waitFor('it to go', async () => !existsSync(pin.path))
    expect(cache.factsOf('u/w/c')).not.toBeNull()
  })

  it('may be taken over from what has just been stored', async () => {
    const cache = await open()
    const file = join(folder.path, 'made')
    await writeFile(file, Buffer.alloc(100))
    await cache.adopt('u/v/m', { bytes: 100, etag: '"m"', modifiedAt: MODIFIED }, file)
    const pins = [await cache.pin('u/v/m'), await cache.pin('u/v/a')]
    await writeFile(file, Buffer.alloc(100))
    const full = cache.adopt('u/v/n', { bytes: 100, etag: '"n"', modifiedAt: MODIFIED }, file)
    await expect(full).rejects.toBeInstanceOf(CacheFullError)
    expect(existsSync(file)).toBe(true)
    expect(fetched).toEqual(['u/v/a'])
    for (const { release } of pins) release()
  })

  it('are counted once, and stay with who has them, where one is taken over that had been fetched meanwhile', async () => {
    const cache = await open()
    const held = await cache.pin('u/v/a')
    const file = join(folder.path, 'made')
    await writeFile(file, Buffer.alloc(100, 'a'))
    await cache.adopt('u/v/a', { bytes: 100, etag: '"u/v/a"', modifiedAt: MODIFIED }, file)
    expect(await cache.room()).toEqual({ bytes: 150, usualBytes: 100 })
    for (const name of ['b', 'c']) (await cache.pin(`u/v/${name}`)).release()
    expect(existsSync(held.path)).toBe(true)
    expect(await cache.room()).toEqual({ bytes: 150, usualBytes: 100 })
  })

  it('are no more than so many beside those that are pinned, however small they are', async () => {
    const cache = await open({ maxBytes: 1e9, mostCopies: 3 })
    const pins = []
    for (const name of 'abcde') pins.push(await cache.pin(`u/v/${name}`))
    expect(fetched).toHaveLength(5)
    for (const { release } of pins) release()
    const last = await cache.pin('u/v/f')
    const here = () => [...'abcdef'].filter((name) => cache.factsOf(`u/v/${name}`)).join('')
    await waitFor('the oldest to go', async () => here() === 'cdef')
    expect(existsSync(last.path)).toBe(true)
  })

  it('of an earlier run may be more than that: each that is wanted now is there all the same', async () => {
    const first = await open({ maxBytes: 1e9 })
    for (const name of 'abcd') {
      ;(await first.pin(`u/v/${name}`)).release()
      await isKept(name)
    }
    const next = await open({ maxBytes: 1e9, mostCopies: 2 })
    const pin = await next.pin('u/v/f')
    expect([existsSync(pin.path), fetched.filter((key) => key === 'u/v/f')]).toEqual([true, ['u/v/f']])
  })

  it('make room for each other without a look at all of them', async () => {
    const cache = await open({ maxBytes: 200, mostCopies: 1000 })
    let looks = 0
    const facts = {
      ...{ etag: '"e"', modifiedAt: MODIFIED },
      get bytes() {
        looks++
        return 1
      },
    }
    for (let count = 0; count < 400; count++) {
      const file = join(folder.path, 'made')
      await writeFile(file, 'x')
      await cache.adopt(`u/v/${count}`, facts, file)
    }
    expect((await cache.room()).usualBytes).toBe(1)
    expect(looks).toBeLessThan(400 * 20)
    expect([cache.factsOf('u/v/199'), cache.factsOf('u/v/200')]).toEqual([null, facts])
  })
})
