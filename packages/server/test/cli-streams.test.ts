import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainBytes } from '../src/cli/tables.ts'
import { openSqlite } from '../src/platform/db/database.ts'
import { type Operator, operatorAt } from './support/operator.ts'
import { bearer, call, giveVideo, signIn } from './support/program.ts'
import { streamCalls } from './support/streams.ts'

let folder: TempDir
let rtmp: RtmpServer
let siarin: Siarin
let operator: Operator
let calls: ReturnType<typeof streamCalls>

beforeAll(async () => {
  folder = await tempDir('cli')
  await makeClip(join(folder.path, 'klip.mp4'), { seconds: 3 })
  rtmp = await startRtmpServer()
  siarin = await startSiarin({ env: { ENFORCE_PLANS: 'true' } })
  operator = operatorAt({ DATA_DIR: siarin.dataDir })
  calls = streamCalls(siarin.url, rtmp)
})

afterAll(async () => {
  await siarin?.dispose()
  await rtmp?.stop()
  await folder?.remove()
})

/** Their calls are those of the page: a slow machine asks more often than a trial lets a program. */
async function personWithVideo() {
  const { user, token } = await signIn(siarin.url)
  const page = bearer(token)
  await giveVideo(siarin, user, join(folder.path, 'klip.mp4'), page)
  return { ...user, page }
}

async function onAir(key: string) {
  const person = await personWithVideo()
  const { apiKey, page: headers } = person
  const streams = async () =>
    (await call(siarin.url, 'GET', `/fitur/steam/active?apiKey=${apiKey}`, { headers })).body.streams
  const { body } = await calls.start(apiKey, key, { title: 'Siaran malam' })
  await waitFor('it to be live', async () => (await streams())[0]?.state === 'live')
  await rtmp.waitForPublisher(key, { growing: true })
  return { ...person, streamId: body.streamId as string }
}

const endOf = async (apiKey: string) => {
  const [ended] = await waitFor(
    'the end in the history',
    async () => {
      const history = await calls.history(apiKey)
      return history.length > 0 && history
    },
    { everyMs: 1_000 },
  )
  return ended
}

describe("the operator's command and broadcasts", () => {
  it('[PLAN-05] ends the broadcast of somebody who is suspended, with its reason', async () => {
    const budi = await onAir('kunci-satu')
    await operator.json('user', 'suspend', budi.email)
    expect(await calls.start(budi.apiKey, 'kunci-lain')).toMatchObject({
      status: 403,
      body: { code: 'access_stopped' },
    })
    await rtmp.waitForNoPublisher('kunci-satu', { timeoutMs: 120_000 })

    await operator.json('user', 'resume', budi.email)
    expect(await endOf(budi.apiKey)).toMatchObject({
      streamId: budi.streamId,
      ended: 'stopped',
      reason: 'Akun ini dihentikan oleh administrator, jadi siarannya ikut berhenti. Hubungi administrator.',
    })
  })

  it('lists broadcasts, and stops one at the ingest', async () => {
    const budi = await onAir('kunci-dua')
    const { streams } = await operator.json('stream', 'list', '--user', budi.username)
    expect(streams).toMatchObject([{ id: budi.streamId, phase: 'live', platform: 'lain', stopAsked: false }])
    const list = await operator.run('stream', 'list')
    expect(list.out).toContain('Siaran malam')
    expect(list.out + JSON.stringify(streams)).not.toContain('kunci-dua')

    expect(await operator.json('stream', 'stop', budi.streamId)).toMatchObject({
      changed: true,
      ended: true,
      stream: {
        phase: 'ended',
        reason: 'Siaran dihentikan oleh administrator. Hubungi administrator untuk keterangan.',
      },
    })
    await rtmp.waitForNoPublisher('kunci-dua')
    expect(await calls.active(budi.apiKey)).toEqual([])
    const { body } = await call(siarin.url, 'GET', '/fitur/activity', { headers: budi.page })
    const ends = body.data.filter(({ text }: { text: string }) => text.startsWith('Siaran dihentikan'))
    expect(ends).toMatchObject([
      { text: 'Siaran dihentikan administrator', detail: expect.stringMatching(/^Siaran malam · oleh operator \S+$/) },
    ])
    const shown = await operator.json('user', 'show', budi.email)
    // The operator sees what the user sees, but for where from.
    const seen = body.data.map(({ at, kind, text, detail, status }: Record<string, unknown>) => ({
      ...{ at, kind, text, detail, status },
    }))
    expect(shown.activity).toEqual(seen.slice(0, 10))
    expect(shown.activity).toContainEqual(expect.objectContaining({ text: 'Siaran dimulai' }))
    expect((await operator.run('stream', 'stop', budi.streamId)).code).toBe(1)
    expect((await operator.json('stream', 'list')).streams).toEqual([])
    expect((await operator.json('stats')).streams.ended).toBeGreaterThan(0)
  })

  it.runIf(isWholeRun)('tells what a user takes of the room from what lies on the disk', async () => {
    const user = await personWithVideo()
    // As of one whose master had to be made, and became larger.
    const { id: userId } = (await operator.json('user', 'show', user.email)).user
    const db = openSqlite(join(siarin.dataDir, 'siarin.db'))
    await db
      .updateTable('renditions')
      .set({ bytes: 5_000_000 })
      .where('video_id', 'in', (of) => of.selectFrom('videos').select('id').where('user_id', '=', userId))
      .execute()
    await db.destroy()
    const { body } = await call(siarin.url, 'GET', `/fitur/video?apiKey=${user.apiKey}`)
    const shown = (await operator.json('user', 'show', user.email)).user
    expect(shown.roomBytes).toBe(5_000_000)
    expect(body.storage.used).toBe(5_000_000)
    expect(shown.videoBytes).toBeGreaterThan(shown.roomBytes)
    expect((await operator.run('user', 'show', user.email)).out).toContain(
      `1: counts ${plainBytes(shown.roomBytes)}, on disk ${plainBytes(shown.videoBytes)}\n`,
    )
  })

  it.runIf(isWholeRun)('notes a stop for a server that is down, which then does not begin it again', async () => {
    const budi = await onAir('kunci-tiga')
    expect(siarin.output()).toContain('ffmpeg started')
    await siarin.stop()
    await rtmp.waitForNoPublisher('kunci-tiga')
    expect(await operator.json('stream', 'stop', budi.streamId)).toMatchObject({ changed: true, ended: false })
    await siarin.restart()
    expect(await endOf(budi.apiKey)).toMatchObject({
      reason: 'Siaran dihentikan oleh administrator. Hubungi administrator untuk keterangan.',
    })
    expect(siarin.output()).not.toContain('ffmpeg started')
    expect(await rtmp.publisher('kunci-tiga')).toBeNull()
  })
})
