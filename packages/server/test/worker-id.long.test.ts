import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../src/platform/db/database.ts'
import { loadWorkerId } from '../src/platform/worker-id.ts'
import { personWithVideo } from './support/program.ts'
import { streamCalls } from './support/streams.ts'

const log = pino({ level: 'silent' })

describe('[MANY-02] the name of a machine', () => {
  let folder: TempDir
  beforeEach(async () => {
    folder = await tempDir('worker-id')
  })
  afterEach(() => folder.remove())

  const load = (settings: { workerId?: string; isDataDirShared?: boolean } = {}) =>
    loadWorkerId({ workerId: null, dataDir: folder.path, isDataDirShared: false, ...settings }, log)

  it('is made once, is the same at each start, and nobody else can read or change it', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => load()))
    expect(new Set(made).size).toBe(1)
    expect(made[0]).toMatch(/^[\w.-]+-[0-9a-f]{6}$/)
    expect(await load()).toBe(made[0])
    const file = join(folder.path, 'worker-id')
    expect((await readFile(file, 'utf8')).trim()).toBe(made[0])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('is the one that is set, and then nothing is written', async () => {
    expect(await load({ workerId: 'worker-1' })).toBe('worker-1')
    await expect(stat(join(folder.path, 'worker-id'))).rejects.toThrow('ENOENT')
  })

  it('is of this host alone where other hosts share the folder', async () => {
    await writeFile(join(folder.path, 'worker-id'), 'somebody-else')
    const made = await load({ isDataDirShared: true })
    expect(made).not.toBe('somebody-else')
    expect(await load({ isDataDirShared: true })).toBe(made)
  })

  it('is what it was before there were ids, where none can be written or read', async () => {
    await writeFile(join(folder.path, 'worker-id'), '???')
    expect(await load()).toBe(hostname())
    expect(await loadWorkerId({ workerId: null, dataDir: '/proc/self', isDataDirShared: false }, log)).toBe(hostname())
  })
})

it('[MANY-02] a broadcast that the version before kept under the name of its host is taken over without a gap', {
  timeout: 300_000,
}, async () => {
  const folder = await tempDir('former-name')
  const rtmp = await startRtmpServer()
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 3 })
  const siarin = await startSiarin()
  try {
    const calls = streamCalls(siarin.url, rtmp)
    const { apiKey } = await personWithVideo(siarin, clip)
    await calls.start(apiKey, 'former-key')
    const session = await rtmp.waitForPublisher('former-key', { growing: true })
    await waitFor('it to be live', async () => (await calls.active(apiKey))[0]?.state === 'live')
    await siarin.kill9()
    const db = openSqlite(join(siarin.dataDir, 'siarin.db'))
    await db.updateTable('streams').set({ worker: hostname() }).execute()
    await rm(join(siarin.dataDir, 'worker-id'))
    await siarin.restart()
    await waitFor('its ffmpeg to be taken over', async () => siarin.output().includes('took over a running ffmpeg'))
    expect((await rtmp.waitForPublisher('former-key', { growing: true })).id).toBe(session.id)
    const { worker } = await db.selectFrom('streams').select('worker').executeTakeFirstOrThrow()
    expect(worker).toBe((await readFile(join(siarin.dataDir, 'worker-id'), 'utf8')).trim())
    await db.destroy()
    await calls.stopAll(apiKey)
    await rtmp.waitForNoPublisher('former-key')
  } finally {
    await siarin.dispose()
    await rtmp.stop()
    await folder.remove()
  }
})
