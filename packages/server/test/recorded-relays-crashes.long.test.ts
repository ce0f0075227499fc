import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { broadcastArgs } from '@siarin/media/argv/broadcast'
import { Secret } from '@siarin/media/secret'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFileCollector, type FileCollectorDeps } from '../src/modules/recordings/files/file-collector.ts'
import { createRecordingFilesRepo } from '../src/modules/recordings/files/recording-files.repo.ts'
import { createRecordedSessions } from '../src/modules/recordings/files/sessions.ts'
import { processBirth } from '../src/platform/process/detached.ts'
import { createLocalStorage } from '../src/platform/storage/local.ts'
import { isLongForm } from './support/fault-table.ts'
import { personWithVideo, startProgram, type TestProgram } from './support/program.ts'
import { assertSound, leftPieces, piecesOf } from './support/recorded-relays.ts'

const PATIENT = { timeoutMs: 90_000 }
const MOMENTS = isLongForm ? 20 : 10

let folder: TempDir
let clip: string
let rtmp: RtmpServer

beforeAll(async () => {
  folder = await tempDir('recorded-crashes')
  clip = join(folder.path, 'klip.mp4')
  // Enough that of a piece of one second some is written before its end.
  await makeClip(clip, {
    seconds: 20,
    extraArgs: ['-vf', 'noise=alls=80:allf=t', '-b:v', '4M', '-maxrate', '4M', '-bufsize', '4M'],
  })
  rtmp = await startRtmpServer()
}, 120_000)

afterAll(async () => {
  await rtmp?.stop()
  await folder?.remove()
})

describe('[REC-02] whatever is killed', { timeout: 300_000 }, () => {
  let program: TestProgram
  beforeAll(async () => {
    program = await startProgram({}, { recordingFiles: { pieceSeconds: 1, takeMs: 3_600_000, stillMs: 3_600_000 } })
  })
  afterAll(() => program?.close())

  it(`at ${MOMENTS} moments, each finished piece is stored once, and what can be played of the last`, async () => {
    const { email } = await personWithVideo(program, clip)
    const of = program.db.selectFrom('users').select('id').where('email', '=', email)
    const { id: userId } = await of.executeTakeFirstOrThrow()
    const sessions = createRecordedSessions({ dataDir: program.dataDir, clock: program.clock, worker: 'uji' })
    const repo = createRecordingFilesRepo(program.db)
    const storage = createLocalStorage(join(program.dataDir, 'media'))
    const deps: FileCollectorDeps = {
      ...{ repo, sessions, storage, clock: program.clock, log: pino({ level: 'silent' }), ffprobePath: 'ffprobe' },
      broadcastOf: async (streamId) => ({ broadcastId: streamId, userId, title: null, source: 'uji' }),
      roomLeftOf: async () => Number.MAX_SAFE_INTEGER,
      spareBytes: async () => Number.MAX_SAFE_INTEGER,
      endRecording: async () => {},
      timings: { recordingFiles: { pieceSeconds: 1, takeMs: 50, stillMs: 60_000 } },
    }
    /** One in three times it dies before or after a step, as a program that is killed there. */
    const dying =
      <T extends unknown[], R>(step: (...args: T) => Promise<R>) =>
      async (...args: T): Promise<R> => {
        if (Math.random() < 1 / 6) throw new Error('killed before')
        const done = await step(...args)
        if (Math.random() < 1 / 6) throw new Error('killed after')
        return done
      }
    const mortal = createFileCollector({
      ...deps,
      repo: { ...repo, add: dying(repo.add) },
      storage: { ...storage, put: dying(storage.put) },
    })
    mortal.start()
    const lives = await Promise.all(Array.from({ length: MOMENTS }, (_, index) => life(index, sessions)))
    await mortal.stop()
    const listed = lives.map(({ lines }) => lines)

    const next = createFileCollector(deps)
    next.start()
    await waitFor('every piece to be taken', async () => (await leftPieces(program.dataDir)).length === 0, PATIENT)
    await next.stop()
    expect(await readdir(join(program.dataDir, 'recording'), { recursive: true })).toHaveLength(1)
    let torn = 0
    for (const [index, finished] of listed.entries()) {
      const pieces = await piecesOf(program.db, `s${index}`)
      await assertSound(pieces, program.dataDir, finished)
      // The last one may never have been finished.
      expect([finished, finished + 1]).toContain(pieces.length)
      torn += pieces.length - finished
    }
    process.stdout.write(
      `${listed.reduce((a, b) => a + b, 0)} finished pieces of ${MOMENTS} killed ffmpegs, ${torn} torn ones kept\n`,
    )
    expect(Math.max(...listed)).toBeGreaterThan(2)
    expect(torn).toBeGreaterThan(0)
  })

  /** An ffmpeg that is killed at some moment. Answers how many pieces it had finished. */
  async function life(index: number, sessions: ReturnType<typeof createRecordedSessions>): Promise<{ lines: number }> {
    const streamId = `s${index}`
    const record = await sessions.open(streamId, 1)
    if (!record) throw new Error('the disk does not answer')
    const args = broadcastArgs({
      ...{ source: { kind: 'once', path: clip }, progressFile: join(folder.path, `${streamId}.progress`) },
      ...{ target: new Secret(`${rtmp.url}/${streamId}`), record },
    })
    const child: ChildProcess = spawn('ffmpeg', args, { cwd: program.dataDir, stdio: 'ignore' })
    await once(child, 'spawn')
    const pid = child.pid ?? 0
    record.noteProcess({ pid, birth: processBirth(pid) ?? '' })
    // Held open: it is read to its end, though its folder may be gone by then.
    const list = await waitFor('its list', () => open(join(program.dataDir, record.folder, 'list.csv')), PATIENT)
    // Spread over six seconds: some always live long enough to finish several.
    await sleep(1_000 + ((index + Math.random()) / MOMENTS) * 6_000)
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    const lines = (await list.readFile('utf8')).split('\n').length - 1
    await list.close()
    return { lines }
  }
})
