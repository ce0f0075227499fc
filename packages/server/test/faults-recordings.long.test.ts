import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClip } from '@siarin/testkit/clips'
import { type HlsSource, startHlsSource } from '@siarin/testkit/hls-source'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder, kill9 } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Db, openDatabase } from '../src/platform/db/database.ts'
import { isLongForm } from './support/fault-table.ts'
import { personWithVideo, signIn } from './support/program.ts'
import { assertSound, leftPieces, piecesOf } from './support/recorded-relays.ts'
import { streamCalls } from './support/streams.ts'

const PATIENT = { timeoutMs: 90_000 }
const MOMENTS = isLongForm ? 20 : 2
/** So many are finished while the program is away. */
const PIECES_MEANWHILE = isLongForm ? 2 : 1
const CLIP_SECONDS = 8
/** After so long the program looks at every recording that is being made. */
const FOLLOW_MS = 15_000

let folder: TempDir
let clip: string
let rtmp: RtmpServer
let source: HlsSource

beforeAll(async () => {
  folder = await tempDir('faults-recordings')
  clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: CLIP_SECONDS })
  rtmp = await startRtmpServer()
  source = await startHlsSource()
}, 180_000)

afterAll(async () => {
  await source?.dispose()
  await rtmp?.stop()
  await folder?.remove()
})

interface Stage {
  readonly siarin: Siarin
  readonly db: Db
}

/** A program of its own: each test kills it, and all of them mostly wait. */
async function withProgram(test: (stage: Stage) => Promise<void>): Promise<void> {
  const siarin = await startSiarin()
  const db = openDatabase(null, siarin.dataDir, pino({ level: 'silent' }))
  try {
    await test({ siarin, db })
  } finally {
    await db.destroy()
    await siarin.dispose()
  }
}

type Pieces = Awaited<ReturnType<typeof piecesOf>>

/** Pieces of one session follow each other without a gap. */
function assertWithoutGaps(pieces: Pieces): void {
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1]
    if (next?.session === piece.session) expect(Math.abs(next.at - piece.at - piece.ms)).toBeLessThanOrEqual(2)
  }
}

async function record({ siarin, db }: Stage, key: string) {
  const { apiKey } = (await signIn(siarin.url)).user
  const calls = streamCalls(siarin.url, rtmp)
  const { body } = await calls.start(apiKey, key, { source: source.url, record: true })
  const pieces = () => piecesOf(db, body.streamId)
  return {
    pieces,
    count: (most: number) => waitFor(`${most} pieces`, async () => (await pieces()).length >= most, PATIENT),
    async stop() {
      await calls.stop(apiKey, body.streamId)
      await waitFor('every piece to be taken', async () => (await leftPieces(siarin.dataDir)).length === 0, PATIENT)
      return pieces()
    },
  }
}

describe.concurrent('a recording', { timeout: 1_200_000 }, () => {
  it('[REC-02] of an online source whose program is killed: what its ffmpeg writes meanwhile goes into it at the next start', () =>
    withProgram(async (stage) => {
      const { siarin } = stage
      const { pieces, count, stop } = await record(stage, 'adopted')
      await count(1)
      await siarin.kill9()
      const before = (await pieces()).length
      const lay = (await leftPieces(siarin.dataDir)).length
      // Nobody takes them meanwhile: each that begins says that another is finished.
      const haveCome = async () => (await leftPieces(siarin.dataDir)).length >= lay + PIECES_MEANWHILE
      await waitFor('more to lie there', haveCome, PATIENT)
      await siarin.restart()
      await count(before + PIECES_MEANWHILE)
      const all = await stop()
      expect(new Set(all.map(({ session }) => session)).size).toBe(1)
      await assertSound(all, siarin.dataDir, all.length - 1)
      assertWithoutGaps(all)
    }))

  it(`[REC-02] of an online source whose program and ffmpeg are killed together at ${MOMENTS} moments: every finished piece is there once, and plays`, () =>
    withProgram(async (stage) => {
      const { siarin } = stage
      const { pieces, count, stop } = await record(stage, 'killed')
      let least = 1
      for (let moment = 0; moment < MOMENTS; moment++) {
        await count(least)
        await rtmp.waitForPublisher('killed', { growing: true, ...PATIENT })
        await sleep(Math.random() * 6_000)
        await siarin.kill9()
        kill9((await ffmpegsUnder(siarin.dataDir))[0])
        const lay = (await leftPieces(siarin.dataDir)).length
        // At most the last of those that lie there is of no use.
        least = (await pieces()).length + Math.max(0, lay - 1)
        await siarin.restart()
      }
      await count(least)
      await rtmp.waitForPublisher('killed', { growing: true, ...PATIENT })
      const all = await stop()
      // The one that was torn is the last of its session.
      await assertSound(
        all.filter(({ session }, index) => all[index + 1]?.session === session),
        siarin.dataDir,
      )
      expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1))
      assertWithoutGaps(all)
      process.stdout.write(`${all.length} pieces after ${MOMENTS} times kill -9 of program and ffmpeg\n`)
    }))

  it('[REC-01] of a video that loops is written down once, however often it plays; its videos are kept again after a version that knew of no recordings has let them go', () =>
    withProgram(async ({ siarin, db }) => {
      const { apiKey } = await personWithVideo(siarin, clip)
      const calls = streamCalls(siarin.url, rtmp)
      const { body } = await calls.start(apiKey, 'let-go', { record: true })
      await rtmp.waitForPublisher('let-go', { growing: true, ...PATIENT })
      await sleep(4_000)
      const written = async () => [
        await db.selectFrom('sent_pieces').selectAll().execute(),
        await db.selectFrom('recordings').selectAll().execute(),
        await db.selectFrom('video_uses').selectAll().execute(),
        await db.selectFrom('outbox').select('id').execute(),
      ]
      const atFirst = await written()
      await sleep(Math.max(CLIP_SECONDS * 1_000, FOLLOW_MS) + 2_000)
      expect(await written()).toEqual(atFirst)
      await calls.stop(apiKey, body.streamId)
      const uses = () =>
        db.selectFrom('video_uses').selectAll().where('used_by', 'like', 'recording:%').orderBy('used_by').execute()
      await waitFor(
        'the recording to keep it',
        async () => {
          const [one, ...others] = await uses()
          // While it is made, its broadcast keeps it.
          return others.length === 0 && one !== undefined && one.used_by !== `recording:${body.streamId}`
        },
        PATIENT,
      )
      const before = await uses()
      await siarin.kill9()
      await db.deleteFrom('video_uses').where('used_by', 'like', 'recording:%').execute()
      await siarin.restart()
      expect(await uses()).toEqual(before)
      expect((await calls.deleteVideo(apiKey, 'klip.mp4')).status).toBe(409)
    }))
})
