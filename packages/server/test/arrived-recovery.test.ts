import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { syncToDisk } from '../src/platform/storage/durable.ts'
import { signIn, startProgram } from './support/program.ts'

describe('[SAFE-03] a video that has arrived just before a crash', () => {
  let folder: TempDir

  beforeAll(async () => {
    folder = await tempDir('arrived')
  })
  afterAll(() => folder.remove())

  it('is kept where the start cannot put it into its place, and gets there with the next one', async () => {
    const id = '7a1c1b0e-0000-4000-8000-000000000001'
    const clip = join(folder.path, 'klip.mp4')
    await makeClip(clip, { seconds: 2 })
    const first = await startProgram({ DATA_DIR: folder.path })
    await signIn(first.url)
    const { id: userId } = await first.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const row = { id, user_id: userId, filename: 'klip.mp4', status: 'processing', step: 'checking', created_at: 0 }
    const sizes = { original_key: `${userId}/${id}/original.mp4`, original_bytes: 1, master_bytes: 0 }
    await first.db
      .insertInto('videos')
      .values({ ...row, ...sizes, content_type: 'video/mp4' })
      .execute()
    await first.close()
    await mkdir(join(folder.path, 'uploads', id), { recursive: true })
    await writeFile(join(folder.path, 'uploads', id, 'upload'), await readFile(clip))
    // As good as a disk that fails.
    await writeFile(join(folder.path, 'media', userId), 'in the way')

    const second = await startProgram({ DATA_DIR: folder.path })
    expect(await second.db.selectFrom('videos').select('id').execute()).toEqual([{ id }])
    expect(await readdir(join(folder.path, 'uploads'))).toEqual([id])
    await second.close()

    await rm(join(folder.path, 'media', userId))
    const third = await startProgram({ DATA_DIR: folder.path })
    const statusOf = () => third.db.selectFrom('videos').select('status').executeTakeFirst()
    await waitFor('it to be ready', async () => (await statusOf())?.status === 'ready')
    expect(await readdir(join(folder.path, 'media', userId, id))).toContain('original.mp4')
    await third.close()
  })

  it('is not refused by a file system that cannot sync a folder', async () => {
    // Nor can the kernel's own.
    await syncToDisk('/proc/self')
    await expect(syncToDisk('/proc/self/nothing')).rejects.toThrow('ENOENT')
  })
})
