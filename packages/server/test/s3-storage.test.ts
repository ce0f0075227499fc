import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { Secret } from '@siarin/media/secret'
import { openFaultyLine } from '@siarin/testkit/faulty-line'
import { serveOnLoopback } from '@siarin/testkit/loopback-http'
import { type S3Server, startS3Server } from '@siarin/testkit/s3-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BootError, StoreAwayError } from '../src/errors.ts'
import { openS3Storage } from '../src/platform/storage/open-s3.ts'
import { placeOf } from '../src/platform/storage/s3-client.ts'

const log = pino({ level: 'silent' })
const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex')

describe('[MANY-01] a store that speaks S3', () => {
  let server: S3Server
  let folder: TempDir
  let count = 0
  beforeAll(async () => {
    server = await startS3Server()
    folder = await tempDir('s3-storage')
  })
  afterAll(async () => {
    await server.stop()
    await folder.remove()
  })

  const settings = (changed = {}) => ({
    ...{ endpoint: server.env.S3_ENDPOINT, region: server.env.S3_REGION, bucket: server.env.S3_BUCKET, prefix: '' },
    accessKeyId: server.env.S3_ACCESS_KEY_ID,
    secretAccessKey: new Secret(server.env.S3_SECRET_ACCESS_KEY),
    ...changed,
  })
  const open = (changed = {}, cache = `cache-${count++}`, keepsPut = false) =>
    openS3Storage({
      settings: settings(changed),
      cache: { folder: join(folder.path, cache), maxBytes: 1e9, reserveBytes: 0 },
      ...{ keepsPut, log },
    })
  async function source(content: Buffer): Promise<string> {
    const file = join(folder.path, `source-${count++}`)
    await writeFile(file, content)
    return file
  }

  it('makes its bucket at the first start, and finds it at the next', async () => {
    const first = await open({ bucket: 'another-bucket' })
    await first.put('ani/film/a', await source(Buffer.from('a film')))
    const next = await open({ bucket: 'another-bucket' })
    expect((await next.head('ani/film/a'))?.bytes).toBe(6)
  })

  it.each([
    ['a wrong secret', { secretAccessKey: new Secret('not-the-secret-at-all') }, 'refuses us'],
    ['a key that it does not know', { accessKeyId: 'nobody:here' }, 'refuses us'],
    ['nobody at its address', { endpoint: 'http://127.0.0.1:1' }, 'does not answer'],
  ])('says in one line why it cannot be used: %s', async (_, changed, words) => {
    const refused = await open(changed).catch((error) => error)
    expect(refused).toBeInstanceOf(BootError)
    expect(refused.faults).toHaveLength(1)
    expect(refused.faults[0]).toContain(words)
    expect(refused.faults[0]).not.toContain('\n')
    expect(JSON.stringify(refused.faults)).not.toMatch(/not-the-secret-at-all|a-secret-of-the-tests-own/)
  })

  it('may be away at a later start: what is here is played', async () => {
    const first = await open({}, 'kept')
    await first.put('ani/film/kept', await source(Buffer.from('a film')))
    await first.prefetch?.('ani/film/kept')
    await sleep(300)
    await server.kill()
    const next = await open({}, 'kept')
    const { path } = await next.pin('ani/film/kept')
    expect(await readFile(path, 'utf8')).toBe('a film')
    expect((await next.head('ani/film/kept'))?.bytes).toBe(6)
    await expect(next.head('ani/film/not-here')).rejects.toBeInstanceOf(StoreAwayError)
    await expect(open({}, 'new')).rejects.toBeInstanceOf(BootError)
    await server.start()
    expect((await next.head('ani/film/kept'))?.bytes).toBe(6)
  })

  it('keeps of what is put there, as a copy, only what broadcasts play', async () => {
    const worker = await open({}, 'worker', true)
    for (const [name, options] of [['master', { isPlayed: true }], ['piece'], ['picture', {}]] as const) {
      const file = await source(Buffer.from(name))
      await worker.put(`ani/film/${name}`, file, options)
      expect([name, existsSync(file)]).toEqual([name, false])
    }
    const copies = ['master', 'piece', 'picture'].map((name) => existsSync(join(folder.path, 'worker/ani/film', name)))
    expect(copies).toEqual([true, false, false])
    expect((await worker.head('ani/film/piece'))?.bytes).toBe(5)
  })

  it('forgets the copies of another bucket', async () => {
    const one = await open({ bucket: 'bucket-one' }, 'changed')
    await one.put('ani/film/same', await source(Buffer.from('one')))
    await one.prefetch?.('ani/film/same')
    await sleep(300)
    const other = await open({ bucket: 'bucket-two' }, 'changed')
    expect(await other.head('ani/film/same')).toBeNull()
  })

  it('keeps its copies when a setting was mistyped for once', async () => {
    const first = await open({}, 'mistyped')
    await first.put('ani/film/mistyped', await source(Buffer.from('a film')))
    await first.prefetch?.('ani/film/mistyped')
    await sleep(300)
    await expect(open({ accessKeyId: 'nobody:here', prefix: 'other/' }, 'mistyped')).rejects.toBeInstanceOf(BootError)
    expect(await readFile(join(folder.path, 'mistyped/ani/film/mistyped'), 'utf8')).toBe('a film')
  })

  it('takes no folder for its copies that has files of others', async () => {
    await mkdir(join(folder.path, 'foreign/site'), { recursive: true })
    await writeFile(join(folder.path, 'foreign/site/index.html'), 'a page')
    const refused = await open({}, 'foreign').catch((error) => error)
    expect(refused).toBeInstanceOf(BootError)
    expect(refused.faults).toEqual([expect.stringContaining("with files that are not Siarin's")])
    expect(await readFile(join(folder.path, 'foreign/site/index.html'), 'utf8')).toBe('a page')
  })

  it.each(['HEAD', 'GET'])('has lost nothing where it refuses us later: %s', async (refused) => {
    let isWilling = true
    const store = await serveOnLoopback(async ({ method, url = '' }, answer) => {
      const isList = url.includes('list-type')
      if (!isWilling && !isList && method === refused) return void answer.writeHead(403).end()
      answer.writeHead(200, { etag: '"e"', ...(isList ? {} : { 'content-length': 6 }) })
      answer.end(isList ? '<ListBucketResult><KeyCount>0</KeyCount></ListBucketResult>' : 'a film')
    })
    const storage = await open({ endpoint: store.url })
    isWilling = false
    await expect(storage.pin('ani/film/a')).rejects.toBeInstanceOf(StoreAwayError)
    await expect(storage.open('ani/film/a')).rejects.toBeInstanceOf(StoreAwayError)
    isWilling = true
    expect(await readFile((await storage.pin('ani/film/a')).path, 'utf8')).toBe('a film')
    await store.close()
  })

  it('takes and gives large files in parts, and each copy is compared with what the store has', async () => {
    const content = randomBytes(40_000_000)
    const storage = await open()
    await storage.put('ani/film/large', await source(content))
    expect((await storage.head('ani/film/large'))?.etag).toMatch(/-3"$/)
    const { path, release } = await storage.pin('ani/film/large')
    expect(md5(await readFile(path))).toBe(md5(content))
    release()
    const elsewhere = await open()
    const part = await elsewhere.open('ani/film/large', { range: 'bytes=16777000-16778000' })
    expect(part?.body && (await buffer(part.body)).equals(content.subarray(16_777_000, 16_778_001))).toBe(true)
  })

  it('may be away for a while in the middle of a file: its reader gets all of it', async () => {
    const content = randomBytes(30_000_000)
    const line = await openFaultyLine(Number(new URL(server.env.S3_ENDPOINT).port))
    const storage = await open({ endpoint: `http://127.0.0.1:${line.port}` })
    await storage.put('ani/film/hung', await source(content))
    const found = await storage.open('ani/film/hung')
    const chunks: Buffer[] = []
    let wasAway = false
    for await (const chunk of found?.body ?? []) {
      chunks.push(chunk)
      if (wasAway) continue
      wasAway = true
      // What is on its way breaks, and the store is back a little later.
      line.set('reset')
      setTimeout(() => line.set('pass'), 500)
    }
    expect(md5(Buffer.concat(chunks))).toBe(md5(content))
    await line.close()
  })

  it('ends what was begun and never finished, but not what is being sent', async () => {
    const { client, bucket } = placeOf(settings())
    const storage = await open()
    for (const Key of ['ani/film/left', 'ani/film/sent']) {
      await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }))
    }
    const isBeingSent = async (key: string) => key.endsWith('sent')
    expect(await storage.abortUnfinished?.(Date.now() - 86_400_000, isBeingSent)).toBe(0)
    expect(await storage.abortUnfinished?.(Date.now() + 60_000, isBeingSent)).toBe(1)
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))
    expect(Uploads.map(({ Key }) => Key)).toEqual(['ani/film/sent'])
  })

  it('lists what is ours alone, behind its prefix', async () => {
    const { client, bucket } = placeOf(settings())
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'beside/ani/film/x', Body: 'x' }))
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'ours/up/ani~film.info', Body: 'x' }))
    const storage = await open({ prefix: 'ours/' })
    await mkdir(join(folder.path, 'more'), { recursive: true })
    await storage.put('ani/film/mine', await source(Buffer.from('mine')))
    const keys: string[] = []
    for await (const key of storage.list()) keys.push(key)
    expect(keys).toEqual(['ani/film/mine'])
  })
})
