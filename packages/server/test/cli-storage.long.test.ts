import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type S3Server, startS3Server } from '@siarin/testkit/s3-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { openStorage } from '../src/platform/optional-parts.ts'
import { operatorAt } from './support/operator.ts'

describe('[MANY-01] the videos of a folder, copied to S3 by the operator', () => {
  let s3: S3Server
  let folder: TempDir
  beforeAll(async () => {
    s3 = await startS3Server()
    folder = await tempDir('copy')
  })
  afterAll(async () => {
    await s3.stop()
    await folder.remove()
  })

  const settings = () => ({ DATA_DIR: folder.path, S3_PREFIX: 'siarin', ...s3.env })
  async function put(key: string, bytes: Buffer): Promise<void> {
    const file = join(folder.path, 'media', key)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, bytes)
  }

  it('are there with every byte, stay where they were, and are sent once', async () => {
    const files = new Map([
      ['ani/film/original.mp4', randomBytes(20_000_000)],
      ['ani/film/thumbnail-1.jpg', randomBytes(2_000)],
      ['budi/film/master-1.mp4', randomBytes(300_000)],
    ])
    for (const [key, bytes] of files) await put(key, bytes)
    await put('ani/film/half.mp4.part', randomBytes(10))
    const operator = operatorAt(settings())
    expect(await operator.json('storage', 'copy', '--to', 's3')).toEqual({
      ...{ bucket: s3.env.S3_BUCKET, prefix: 'siarin/', files: 3, bytes: 20_302_000, alreadyThere: 0 },
    })
    const storage = await openStorage(readConfig(settings()), pino({ level: 'silent' }))
    for (const [key, bytes] of files) {
      const found = await storage.open(key)
      expect(found?.body && (await buffer(found.body)).equals(bytes)).toBe(true)
      expect((await readFile(join(folder.path, 'media', key))).equals(bytes)).toBe(true)
    }
    await put('budi/film/new.mp4', randomBytes(1_000))
    expect(await operator.json('storage', 'copy', '--to', 's3')).toMatchObject({
      files: 1,
      bytes: 1_000,
      alreadyThere: 3,
    })
  })

  it('go on where they were after the store was away', async () => {
    await put('ani/late/a.mp4', randomBytes(1_000))
    await s3.kill()
    const operator = operatorAt(settings())
    const refused = await operator.run('storage', 'copy', '--to', 's3')
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('does not answer')
    await s3.start()
    expect(await operator.json('storage', 'copy', '--to', 's3')).toMatchObject({ files: 1, alreadyThere: 4 })
  })

  it('need a store, a folder of a server, and a word where to', async () => {
    const without = await operatorAt({ DATA_DIR: folder.path }).run('storage', 'copy', '--to', 's3')
    expect([without.code, without.err]).toEqual([1, expect.stringContaining('set S3_ENDPOINT')])
    const elsewhere = join(folder.path, 'not-the-server')
    const mistaken = await operatorAt({ ...settings(), DATA_DIR: elsewhere }).run('storage', 'copy', '--to', 's3')
    expect([mistaken.code, mistaken.err]).toEqual([1, expect.stringContaining('Set DATA_DIR')])
    const nowhere = await operatorAt(settings()).run('storage', 'copy')
    expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining('--to s3')])
    const wrong = await operatorAt({ ...settings(), S3_SECRET_ACCESS_KEY: 'bukan-rahasianya' }).run(
      'storage',
      'copy',
      '--to',
      's3',
    )
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('refuses us')])
    expect(wrong.err).not.toContain('bukan-rahasianya')
  })
})
