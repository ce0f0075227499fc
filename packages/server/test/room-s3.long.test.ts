import { type S3Server, startS3Server } from '@siarin/testkit/s3-server'
import { mountSmallDisk, type SmallDisk } from '@siarin/testkit/small-disk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, signIn, startProgram, type TestProgram } from './support/program.ts'
import { tusOf } from './support/tus.ts'

const MB = 1024 ** 2

describe('[SAFE-03] the room of a machine whose videos lie in a store', () => {
  let s3: S3Server
  let disk: SmallDisk
  let program: TestProgram

  beforeAll(async () => {
    s3 = await startS3Server()
    const mounted = await mountSmallDisk(8)
    if ('refusal' in mounted) throw new Error(mounted.refusal)
    disk = mounted
    program = await startProgram({ ...s3.env, CACHE_DIR: disk.path, DISK_RESERVE_MB: '0' })
  })
  afterAll(async () => {
    await program?.close()
    await Promise.all([s3?.stop(), disk?.remove()])
  })

  const person = async () => {
    const { user } = await signIn(program.url)
    return { apiKey: user.apiKey, tus: tusOf(program.url, user.apiKey) }
  }

  it('is that of its cache: what could not be inspected there is refused before a byte is sent', async () => {
    const { tus } = await person()
    // Half of the disk is the cache's.
    const refused = await tus.create(5 * MB)
    expect([refused.status, await refused.json()]).toMatchObject([507, { code: 'storage_full' }])
    expect((await tus.create(3 * MB)).status).toBe(201)
  })

  it('is shown to who has no limit', async () => {
    const { apiKey } = await person()
    const { body } = await call(program.url, 'GET', `/fitur/video?apiKey=${apiKey}`)
    expect(body.storage).toEqual({ used: 0, limit: 4 * MB })
  })
})
