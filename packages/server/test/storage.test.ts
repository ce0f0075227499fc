import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { open as openFile, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type S3Server, startS3Server } from '@siarin/testkit/s3-server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { KeyTakenError, NotStoredError, type Storage } from '../src/platform/storage/storage.ts'
import { isLongForm } from './support/fault-table.ts'
import { type OpenedStorage, STORAGE_ADAPTERS } from './support/storage-adapters.ts'

/** How long the program that puts a file lives on: the last one ends by itself. */
const KILLED_AFTER_MS = isLongForm ? [0, 2, 5, 10, 20, 40, 80, 60_000] : [20, 60_000]
/** Where copies are kept, there is one of it. */
const PLAYED = { isPlayed: true }
/** Enough for S3 to be sent two parts. */
const PUT_BYTES = isLongForm ? 48_000_000 : 17_500_000

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3Server()
})
afterAll(() => s3.stop())

describe.each(STORAGE_ADAPTERS)('what is stored in $name', ({ open }) => {
  let opened: OpenedStorage
  let storage: Storage
  let count = 0

  beforeAll(async () => {
    opened = await open(s3)
    storage = opened.storage
  })
  afterAll(() => opened.close())
  afterEach(() => Promise.all(['ani/', 'budi/'].map((prefix) => storage.remove(prefix))))

  async function source(content: string | Buffer): Promise<string> {
    const file = join(opened.sources, `source-${count++}`)
    await writeFile(file, content)
    return file
  }
  const put = async (key: string, content: string | Buffer) => storage.put(key, await source(content), PLAYED)
  async function keys(): Promise<string[]> {
    const all: string[] = []
    for await (const key of storage.list()) all.push(key)
    return all.sort()
  }
  const read = async (key: string, conditions = {}) => {
    const file = await storage.open(key, conditions)
    return file && { ...file, body: file.body && (await buffer(file.body)).toString() }
  }

  it('is read as it was put, and its source is taken over', async () => {
    const content = randomBytes(300_000)
    const file = await source(content)
    await storage.put('ani/film/original.mp4', file, PLAYED)
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' })
    const found = await storage.open('ani/film/original.mp4')
    expect(found).toMatchObject({ verdict: { kind: 'whole' }, facts: { bytes: content.length } })
    expect(found?.body && (await buffer(found.body)).equals(content)).toBe(true)
  })

  it('may be empty', async () => {
    await put('ani/film/empty', '')
    expect(await read('ani/film/empty')).toMatchObject({ facts: { bytes: 0 }, verdict: { kind: 'whole' }, body: '' })
  })

  it('tells its size, when it was written and a tag of its content without being read', async () => {
    const before = Date.now()
    await put('ani/film/original.mp4', 'a film')
    const facts = await storage.head('ani/film/original.mp4')
    expect(facts).toEqual({ bytes: 6, etag: expect.stringMatching(/^(W\/)?"[^"]+"$/), modifiedAt: expect.any(Date) })
    // A store may know whole seconds only, and has a clock of its own.
    expect(Math.abs((facts?.modifiedAt.getTime() ?? 0) - before)).toBeLessThan(60_000)
    expect((await storage.open('ani/film/original.mp4'))?.facts).toEqual(facts)
    await put('ani/film/other.mp4', 'another film')
    expect((await storage.head('ani/film/other.mp4'))?.etag).not.toBe(facts?.etag)
  })

  it('is absent where nothing was put: no facts, no content, no path', async () => {
    await put('ani/film/original.mp4', 'a film')
    for (const key of ['ani/film/none.mp4', 'budi/film/original.mp4', 'ani/film', 'ani/film/original.mp4/inner']) {
      expect(await storage.head(key)).toBeNull()
      expect(await storage.open(key)).toBeNull()
      await expect(storage.pin(key)).rejects.toBeInstanceOf(NotStoredError)
    }
  })

  it.each([
    { range: 'bytes=0-3', part: 'a fi' },
    { range: 'bytes=2-', part: 'film' },
    { range: 'bytes=-2', part: 'lm' },
    { range: 'bytes=-999', part: 'a film' },
    { range: 'bytes=4-999', part: 'lm' },
    { range: 'bytes=0-1,2-3', part: 'a fi' },
  ])('is read in part: $range', async ({ range, part }) => {
    await put('ani/film/original.mp4', 'a film')
    expect(await read('ani/film/original.mp4', { range })).toMatchObject({ verdict: { kind: 'part' }, body: part })
  })

  it.each([
    { range: 'bytes=6-', kind: 'unsatisfiable', body: null },
    { range: 'bytes=3-1', kind: 'unsatisfiable', body: null },
    { range: 'bytes=0-0,4-4', kind: 'whole', body: 'a film' },
    { range: 'lines=1-2', kind: 'whole', body: 'a film' },
  ])('is read whole, or not at all, where the range is none that it has: $range', async ({ range, kind, body }) => {
    await put('ani/film/original.mp4', 'a film')
    expect(await read('ani/film/original.mp4', { range })).toMatchObject({ verdict: { kind }, body })
  })

  it('is read under conditions', async () => {
    await put('ani/film/original.mp4', 'a film')
    const facts = await storage.head('ani/film/original.mp4')
    const etag = facts?.etag ?? ''
    const at = (offset: number) => new Date((facts?.modifiedAt.getTime() ?? 0) + offset).toUTCString()
    const range = 'bytes=0-0'
    const cases = [
      [{ ifMatch: etag }, 'whole'],
      [{ ifMatch: '"another"' }, 'precondition-failed'],
      [{ ifUnmodifiedSince: at(60_000) }, 'whole'],
      [{ ifUnmodifiedSince: at(-60_000) }, 'precondition-failed'],
      [{ ifNoneMatch: etag }, 'not-modified'],
      [{ ifNoneMatch: `"another", ${etag}` }, 'not-modified'],
      [{ ifNoneMatch: '"another"', ifModifiedSince: at(60_000) }, 'whole'],
      [{ ifModifiedSince: at(60_000) }, 'not-modified'],
      [{ ifModifiedSince: at(-60_000) }, 'whole'],
      [{ range, ifRange: etag }, 'part'],
      [{ range, ifRange: '"another"' }, 'whole'],
      [{ range, ifRange: at(60_000) }, 'part'],
      [{ range, ifRange: at(-60_000) }, 'whole'],
      [{ range, ifNoneMatch: etag }, 'not-modified'],
    ] as const
    for (const [conditions, kind] of cases) {
      const found = await read('ani/film/original.mp4', conditions)
      expect([conditions, found?.verdict.kind]).toEqual([conditions, kind])
      expect(found?.body ?? null).toBe({ whole: 'a film', part: 'a' }[kind as string] ?? null)
    }
  })

  it('never changes: a key is written once', async () => {
    await put('ani/film/original.mp4', 'a film')
    const file = await source('another film')
    await expect(storage.put('ani/film/original.mp4', file)).rejects.toBeInstanceOf(KeyTakenError)
    expect(await read('ani/film/original.mp4')).toMatchObject({ body: 'a film' })
    expect(await readFile(file, 'utf8')).toBe('another film')
  })

  it('goes by its key, or by a prefix with all that lies below it, and nothing else goes', async () => {
    const all = ['ani/film/master-1.mp4', 'ani/film/master-1.mp4.jpg', 'ani/film2/a', 'ani/other/b', 'budi/film/c']
    for (const key of all) await put(key, 'bytes')
    await storage.remove('ani/film/master-1.mp4')
    expect(await keys()).toEqual(all.slice(1))
    await storage.remove('ani/film/')
    expect(await keys()).toEqual(all.slice(2))
    await storage.remove('ani/')
    expect(await keys()).toEqual(all.slice(4))
    await storage.remove('ani/')
    await storage.remove('budi/film/none')
    expect(await keys()).toEqual(all.slice(4))
    // A key that was removed is free again.
    await put('ani/film/master-1.mp4', 'bytes')
    expect(await keys()).toHaveLength(2)
  })

  it('is pinned as a path of this machine, for as long as somebody needs it', async () => {
    await put('ani/film/original.mp4', 'a film')
    const [one, other] = [await storage.pin('ani/film/original.mp4'), await storage.pin('ani/film/original.mp4')]
    one.release()
    one.release()
    expect(await readFile(other.path, 'utf8')).toBe('a film')
    other.release()
    const again = await storage.pin('ani/film/original.mp4')
    expect(await readFile(again.path, 'utf8')).toBe('a film')
    again.release()
  })

  /** Begun, and read no further for now. */
  async function begunBody(from: Storage, key: string): Promise<Readable> {
    const body = (await from.open(key))?.body
    if (!body) throw new Error(`${key} is not there`)
    await once(body, 'readable')
    expect(body.read(1_000)).toHaveLength(1_000)
    return body
  }

  it.each(['ani/film/original.mp4', 'ani/film/'])(
    'is taken from those who read it when %s is removed',
    async (removed) => {
      const content = randomBytes(4_000_000)
      for (const key of ['ani/film/original.mp4', 'ani/film2/original.mp4']) await put(key, content)
      // One that is pinned is read from its copy, where there are such.
      const pin = await storage.pin('ani/film/original.mp4')
      const [reader, other] = [
        await begunBody(storage, 'ani/film/original.mp4'),
        await begunBody(storage, 'ani/film2/original.mp4'),
      ]
      const tool = await openFile(pin.path)
      await storage.remove(removed)
      await expect(buffer(reader)).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' })
      expect(await storage.head('ani/film/original.mp4')).toBeNull()
      expect(await buffer(other)).toHaveLength(content.length - 1_000)
      // What a tool reads by its path stays for as long as that takes.
      expect((await tool.readFile()).equals(content)).toBe(true)
      await tool.close()
      pin.release()
    },
  )

  it('is taken from those who read it elsewhere as soon as that is looked for there', async () => {
    await put('ani/film/original.mp4', randomBytes(4_000_000))
    const elsewhere = await opened.elsewhere()
    const reader = await begunBody(elsewhere, 'ani/film/original.mp4')
    await elsewhere.clearCopies?.()
    await storage.remove('ani/film/')
    await elsewhere.clearCopies?.()
    await expect(buffer(reader)).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' })
  })

  it.each([
    ...['', '/', '.', '..', '../secret', 'ani/../../secret', 'ani/..', '/etc/passwd', 'ani//film', 'ani/./film'],
    ...['ani/film/', 'ani/.hidden', 'ani\\film', 'ani/film\0', 'ani/film%2f..', 'ani/film/a.part', 'ani/film ', '~/a'],
  ])('has no name that leads elsewhere, or that is no plain name: %j', async (key) => {
    const file = await source('bytes')
    await expect(storage.put(key, file)).rejects.toThrow('not a storage key')
    await expect(storage.head(key)).rejects.toThrow('not a storage key')
    await expect(storage.open(key)).rejects.toThrow('not a storage key')
    await expect(storage.pin(key)).rejects.toThrow('not a storage key')
    if (key !== 'ani/film/') await expect(storage.remove(key)).rejects.toThrow('not a storage key')
    expect(await readFile(file, 'utf8')).toBe('bytes')
  })

  it('[SAFE-03] is there whole or not at all, whenever the program that puts it is killed', async () => {
    const content = randomBytes(PUT_BYTES)
    const seen: string[] = []
    for (const afterMs of KILLED_AFTER_MS) {
      const [file, key] = [await source(content), 'ani/film/master-1.mp4']
      const code = `const storage = ${opened.script}; console.log('now'); await storage.put('${key}', '${file}', { isPlayed: true }); process.exit()`
      const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'exit')
      await once(child.stdout, 'data')
      await Promise.race([ended, sleep(afterMs, null, { ref: false })])
      child.kill('SIGKILL')
      await ended
      const facts = await storage.head(key)
      seen.push(facts ? 'whole' : 'absent')
      expect(await keys()).toEqual(facts ? [key] : [])
      if (facts) {
        const found = await storage.open(key)
        expect(found?.body && (await buffer(found.body)).equals(content)).toBe(true)
        await storage.remove(key)
      } else {
        // A new try is not held up by what is left.
        await storage.put(key, await source(content), PLAYED)
        expect((await storage.head(key))?.bytes).toBe(content.length)
        await storage.remove('ani/')
      }
      await rm(file, { force: true })
    }
    expect(seen.at(-1)).toBe('whole')
  })
})
