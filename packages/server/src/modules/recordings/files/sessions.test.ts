import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { processBirth } from '../../../platform/process/detached.ts'
import { createRecordedSessions, RECORDED_FOLDER } from './sessions.ts'

let folder: TempDir
beforeEach(async () => {
  folder = await tempDir('sessions')
})
afterEach(() => folder.remove())

describe('[SAFE-04] the folders of a stream that flaps', () => {
  it('are bounded: it is not recorded while hundreds of its sessions wait to be taken, and again after that', async () => {
    let now = 1_700_000_000_000
    const sessions = createRecordedSessions({ dataDir: folder.path, clock: { now: () => now++ }, worker: 'w' })
    const ofStream = join(folder.path, RECORDED_FOLDER, 'w', 'flaps')
    for (let count = 0; count < 499; count++) await mkdir(join(ofStream, String(now++)), { recursive: true })
    expect(await sessions.open('flaps', 10)).not.toBeNull()
    expect(await sessions.open('flaps', 10)).toBeNull()
    expect(await readdir(ofStream)).toHaveLength(500)
    expect(await sessions.open('steady', 10)).not.toBeNull()
    const [oldest] = await sessions.list()
    if (oldest) await sessions.remove(oldest)
    expect(await sessions.open('flaps', 10)).not.toBeNull()
  })
})

describe('[SAFE-04] a session with far more pieces than its time has room for', () => {
  const now = 1_700_000_000_000
  const AGE_MS = 60_000

  /** A session of a minute. Its ffmpeg is gone. */
  async function sessionOf(pieces: number) {
    const sessions = createRecordedSessions({ dataDir: folder.path, clock: { now: () => now }, worker: 'w' })
    const path = join(folder.path, RECORDED_FOLDER, 'w', 'stream', String(now - AGE_MS))
    await mkdir(path, { recursive: true })
    await writeFile(join(path, 'process'), '1 another-boot/1')
    const names = Array.from({ length: pieces }, (_, index) => `${String(index).padStart(6, '0')}.ts`)
    for (const name of names) await writeFile(join(path, name), 'piece')
    const only = async () => {
      const [session, ...others] = await sessions.list()
      expect(others).toEqual([])
      return session
    }
    const session = await only()
    if (!session) throw new Error('there is no session')
    return { sessions, session, only }
  }

  it('is not read; one that waits for its store is, and one by a clock that was put back', async () => {
    const { sessions, session } = await sessionOf(119)
    expect(await sessions.read(session, 10)).toMatchObject({ isFlooded: true, files: [] })
    const read = await sessions.read(session, 9)
    expect([read.isFlooded, read.files.length]).toEqual([false, 119])
    // It began at a time that is yet to come.
    const ahead = { ...session, startedAt: now + 3_600_000 }
    await writeFile(join(session.folder, 'process'), `${process.pid} ${processBirth(process.pid)}`)
    const { isRunning, seconds } = await sessions.read(ahead, 10)
    expect(isRunning).toBe(true)
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThan(86_400)
  })

  it('goes in parts, and is read no more meanwhile', async () => {
    const { sessions, session, only } = await sessionOf(1_500)
    await sessions.remove(session)
    const left = await only()
    expect(left).toMatchObject({ isOff: true })
    expect((await readdir(left?.folder ?? '')).length).toBe(501)
    if (left) await sessions.remove(left)
    expect(await only()).toBeUndefined()
  })

  it('keeps nothing but the piece that is open, and that empty, where its ffmpeg goes on without it', async () => {
    const { sessions, session } = await sessionOf(1_500)
    await sessions.empty(session)
    await sessions.empty(session)
    expect((await readdir(session.folder)).toSorted()).toEqual(['001499.ts', 'process'])
    expect((await stat(join(session.folder, '001499.ts'))).size).toBe(0)
  })
})
