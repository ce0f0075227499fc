import { execFile } from 'node:child_process'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PlanId } from '@siarin/contracts/plans'
import { makeClip } from '@siarin/testkit/clips'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyVideo } from './support/prepared-videos.ts'
import {
  bearer,
  call,
  giveVideo,
  processed,
  signIn,
  startProgram,
  type TestProgram,
  uploadVideo,
  videosOf,
} from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'
import { tusOf } from './support/tus.ts'

const GIB = 1024 ** 3

let stage: StreamStage
let program: TestProgram
/** Whose 1080p60 video was prepared for the trial, and stays so. */
let sample: { readonly email: string }

beforeAll(async () => {
  stage = await openStreamStage({ ENFORCE_PLANS: 'true', MAX_VIDEO_HEIGHT: '2160' })
  program = stage.program
  const large = join(stage.folder, 'besar.mp4')
  await makeClip(large, { picture: 'color=gray', seconds: 1, width: 1920, height: 1080, fps: 60 })
  const { user } = await signIn(program.url)
  await uploadVideo(program.url, user.apiKey, large, 'besar.mp4')
  await processed(program.url, user.apiKey, 'besar.mp4')
  sample = user
})
afterAll(() => stage.close())

const give = (email: string, plan: PlanId) =>
  program.db.updateTable('users').set({ plan }).where('email', '=', email).execute()
const retry = (apiKey: string, name: string) =>
  call(program.url, 'POST', `/fitur/video/retry/${name}`, { body: { apiKey } })

/** Where the files of somebody's only video are. */
async function folderOf(email: string): Promise<string> {
  const { id, user_id } = await program.db
    .selectFrom('videos')
    .innerJoin('users', 'users.id', 'videos.user_id')
    .select(['videos.id', 'user_id'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return join(program.dataDir, 'media', user_id, id)
}
/** Without what makes the names of masters and pictures unlike those of any other. */
const filesOf = async (email: string) =>
  (await readdir(await folderOf(email))).map((name) => name.replace(/-[\da-f-]{36}/, '')).sort()

/** Somebody with a copy of the sample. */
async function personWithLargeVideo() {
  const { user, token } = await signIn(program.url)
  const page = bearer(token)
  await copyVideo(program, sample, user, 'besar.mp4')
  return { ...user, page, video: await processed(program.url, user.apiKey, 'besar.mp4', page) }
}

describe('room for videos', () => {
  /** Somebody whose videos leave so many bytes of their room. */
  async function personWithRoom(target: TestProgram, limitBytes: number, leftBytes: number) {
    const { user, token } = await signIn(target.url)
    await giveVideo(target, user, stage.clip, bearer(token))
    const owner = await target.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', user.email)
      .executeTakeFirstOrThrow()
    await target.db
      .updateTable('videos')
      .set({ original_bytes: limitBytes - leftBytes })
      .where('user_id', '=', owner.id)
      .execute()
    return { ...user, page: bearer(token) }
  }
  const refusal = (left: string, needed: string) =>
    `Ruang Anda tidak cukup: tersisa ${left}, file ini butuh ${needed}. Hapus video lama dulu.`
  const WAY_UP = 'Paket Free Trial punya ruang 5 GB. Upgrade ke Starter untuk ruang lebih besar.'

  it('is what the plan has, to the byte; the refusal names the plan, its room and the way up', async () => {
    const tus = tusOf(program.url, (await personWithRoom(program, 5 * GIB, 4000)).apiKey)
    const refused = await tus.create(4001)
    expect([refused.status, await refused.json()]).toMatchObject([
      507,
      { success: false, code: 'storage_full', message: `${refusal('3,91 KB', '3,91 KB')} ${WAY_UP}` },
    ])
    expect((await tus.create(4000)).status).toBe(201)
  })

  it('is said the same of an upload that announces its size and of one that does not', async () => {
    const { apiKey } = await personWithRoom(program, 5 * GIB, 4000)
    const announced = await uploadVideo(program.url, apiKey, stage.clip, 'lagi.mp4')
    expect(announced).toMatchObject({ status: 507, body: { message: expect.stringContaining(WAY_UP) } })

    const form = new FormData()
    form.set('video', new Blob([Buffer.alloc(200_000)]), 'lagi.mp4')
    const { body, headers } = new Response(form)
    const silent = await fetch(`${program.url}/fitur/video/upload?apiKey=${apiKey}`, {
      method: 'POST',
      headers: { 'content-type': headers.get('content-type') ?? '' },
      body,
      duplex: 'half',
    } as RequestInit)
    expect([silent.status, await silent.json()]).toMatchObject([507, { message: expect.stringContaining(WAY_UP) }])
    expect(await videosOf(program.url, apiKey)).toHaveLength(1)
  })

  it.runIf(isWholeRun)(
    'holds a video once: what is made of it counts where it is larger, and stops where it does not fit',
    async () => {
      const small = join(stage.folder, 'hemat.mkv')
      await makeClip(small, {
        seconds: 2,
        width: 640,
        height: 360,
        videoCodec: 'mpeg4',
        audioCodec: 'libmp3lame',
        extraArgs: ['-q:v', '31'],
      })
      const { size } = await stat(small)
      const { apiKey, email, page } = await personWithRoom(program, 5 * GIB, size + 1000)
      expect((await uploadVideo(program.url, apiKey, small, 'hemat.mkv')).status).toBe(200)
      expect(await processed(program.url, apiKey, 'hemat.mkv', page)).toMatchObject({
        status: 'failed',
        reason: `Versi siap siar video ini lebih besar dari filenya dan tidak muat di ruang Anda. Hapus video lama, lalu proses ulang. ${WAY_UP}`,
      })
      await call(program.url, 'DELETE', '/fitur/video/delete/klip.mp4', { body: { apiKey } })
      expect((await retry(apiKey, 'hemat.mkv')).status).toBe(200)
      expect(await processed(program.url, apiKey, 'hemat.mkv', page)).toMatchObject({ status: 'ready' })
      const { body } = await call(program.url, 'GET', `/fitur/video?apiKey=${apiKey}`)
      const [master = ''] = (await readdir(await folderOf(email))).filter((name) => name.startsWith('master-'))
      const { size: made } = await stat(join(await folderOf(email), master))
      expect(made).toBeGreaterThan(size)
      expect(body.storage.used).toBe(made)
    },
  )

  it('blames no plan where the machine itself gives less', async () => {
    const small = await startProgram({ ENFORCE_PLANS: 'true', STORAGE_LIMIT_GB: '1' })
    try {
      const { apiKey } = await personWithRoom(small, GIB, 10)
      const refused = await tusOf(small.url, apiKey).create(11)
      expect(await refused.json()).toMatchObject({ message: refusal('10 Bytes', '11 Bytes') })
    } finally {
      await small.close()
    }
  })
})

describe('[PLAN-02] a video that is larger than the plan', () => {
  it('is prepared down to it, and again from the original after an upgrade, as far as that goes', async () => {
    const { apiKey, email, page, video } = await personWithLargeVideo()
    expect(video).toMatchObject({ width: 1280, height: 720, fps: 30, canImprove: false, tooLarge: false })
    expect(video.reducedFrom).toEqual({ height: 1080, fps: 60 })
    expect(await retry(apiKey, 'besar.mp4')).toMatchObject({
      status: 409,
      body: {
        code: 'video_not_failed',
        message: 'Video ini sudah disiapkan sebaik yang diizinkan paket Anda.',
      },
    })

    await give(email, 'starter')
    expect(await videosOf(program.url, apiKey)).toMatchObject([{ height: 720, canImprove: true, tooLarge: false }])
    expect(await retry(apiKey, 'besar.mp4')).toMatchObject({
      status: 200,
      body: { message: 'Video disiapkan ulang sesuai paket Anda.' },
    })
    expect(await processed(program.url, apiKey, 'besar.mp4', page)).toMatchObject({
      status: 'ready',
      height: 1080,
      fps: 30,
      warning: null,
      canImprove: false,
    })

    // What was there before it goes only once the new one is there.
    await waitFor('one master', async () => (await filesOf(email)).length === 3)
    expect(await filesOf(email)).toEqual(['master.mp4', 'original.mp4', 'thumbnail.jpg'])

    await give(email, 'creator-pro')
    expect((await retry(apiKey, 'besar.mp4')).status).toBe(200)
    expect(await processed(program.url, apiKey, 'besar.mp4', page)).toMatchObject({
      height: 1080,
      fps: 60,
      canImprove: false,
    })
    const served = await fetch(`${program.url}/fitur/video/besar.mp4?apiKey=${apiKey}`)
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    await served.arrayBuffer()

    await waitFor('no other master', async () => (await filesOf(email)).length === 2)
    expect(await filesOf(email)).toEqual(['original.mp4', 'thumbnail.jpg'])

    await give(email, 'business')
    expect(await videosOf(program.url, apiKey)).toMatchObject([{ canImprove: false, reducedFrom: null }])
  })

  it.runIf(isWholeRun)('in the middle of its file only does not get past it', async () => {
    const [small, grown] = [join(stage.folder, 'kecil.ts'), join(stage.folder, 'tumbuh.ts')]
    await makeClip(small, { picture: 'color=gray', seconds: 1, width: 640, height: 360, fps: 10 })
    await makeClip(grown, { picture: 'color=gray', seconds: 1, width: 1920, height: 1080, fps: 10 })
    const sneaky = join(stage.folder, 'berubah.mkv')
    const joined = ['-v', 'error', '-y', '-i', `concat:${small}|${grown}`, '-c', 'copy', sneaky]
    await promisify(execFile)(process.env['FFMPEG_PATH'] || 'ffmpeg', joined)

    const { user, token } = await signIn(program.url)
    await uploadVideo(program.url, user.apiKey, sneaky, 'berubah.mkv')
    expect(await processed(program.url, user.apiKey, 'berubah.mkv', bearer(token))).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('Ukuran gambar video ini berubah di tengah'),
    })
  })

  it.runIf(isWholeRun)('does not go on air after a downgrade until it has been prepared again', async () => {
    const { apiKey, email, page } = await personWithLargeVideo()
    await give(email, 'creator-pro')
    await retry(apiKey, 'besar.mp4')
    await processed(program.url, apiKey, 'besar.mp4', page)
    await give(email, 'free-trial')
    expect(await videosOf(program.url, apiKey)).toMatchObject([{ fps: 60, canImprove: false, tooLarge: true }])
    expect(await stage.start(apiKey, 'turun', { source: 'besar.mp4' })).toMatchObject({
      status: 403,
      body: { code: 'plan_limit' },
    })
    expect((await retry(apiKey, 'besar.mp4')).status).toBe(200)
    expect(await processed(program.url, apiKey, 'besar.mp4', page)).toMatchObject({
      height: 720,
      fps: 30,
      tooLarge: false,
    })
    const { body } = await stage.start(apiKey, 'turun', { source: 'besar.mp4' })
    await stage.rtmp.waitForPublisher('turun', { growing: true })
    await stage.stop(apiKey, body.streamId)
  })

  it.runIf(isWholeRun)('is left as it is while it is on air', async () => {
    const { apiKey, email, page } = await personWithLargeVideo()
    const { body } = await stage.start(apiKey, 'tayang', { source: 'besar.mp4' })
    await give(email, 'starter')
    expect(await retry(apiKey, 'besar.mp4')).toMatchObject({
      status: 409,
      body: { code: 'video_on_air', message: 'Video sedang dipakai siaran langsung.' },
    })
    await stage.stop(apiKey, body.streamId)
    // A stop is answered after some seconds, also where the broadcast is not off air yet.
    await waitFor('it to be taken, off air', async () => (await retry(apiKey, 'besar.mp4')).status === 200)
    expect(await processed(program.url, apiKey, 'besar.mp4', page)).toMatchObject({ height: 1080 })
  })

  it.each([
    { original: 'is damaged', harm: (file: string) => writeFile(file, 'rusak'), why: 'File video ini tidak lengkap' },
    { original: 'is gone', harm: (file: string) => rm(file), why: 'Video ini gagal disiapkan' },
  ])('keeps what it had when its original $original, and says so', async ({ harm, why }) => {
    const { apiKey, email, page } = await personWithLargeVideo()
    await give(email, 'starter')
    await harm(join(await folderOf(email), 'original.mp4'))
    expect((await retry(apiKey, 'besar.mp4')).status).toBe(200)
    expect(await processed(program.url, apiKey, 'besar.mp4', page)).toMatchObject({
      status: 'ready',
      height: 720,
      fps: 30,
      reason: null,
      warning: expect.stringContaining(`Gagal disiapkan ulang, jadi versi sebelumnya tetap dipakai. ${why}`),
    })
    const { body } = await stage.start(apiKey, 'sisa', { source: 'besar.mp4' })
    await stage.rtmp.waitForPublisher('sisa', { growing: true })
    await stage.stop(apiKey, body.streamId)
  })
})
