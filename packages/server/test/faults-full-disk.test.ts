import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { makeClip } from '@siarin/testkit/clips'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { mountSmallDisk, type SmallDisk } from '@siarin/testkit/small-disk'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openFaultTable } from './support/fault-table.ts'
import { type FiveBroadcasts, putFiveOnAir } from './support/five-broadcasts.ts'
import { call, newUser, processed, uploadVideo, videosOf } from './support/program.ts'
import { locationOf, tusOf } from './support/tus.ts'

const table = openFaultTable('The data folder is full: time off air as the ingest saw it, 5 streams')
let disk: SmallDisk | null = null
let refusal = ''
let siarin: Siarin
let five: FiveBroadcasts
let large: Buffer

const smallDisk = (): SmallDisk => {
  if (!disk) throw new Error('there is no disk to fill')
  return disk
}
const namesIn = (folder: string) => readdir(join(siarin.dataDir, folder)).catch(() => [])
const halfWritten = async () => [...(await namesIn('uploads')), ...(await namesIn('resumable'))]
const filenames = async () => (await videosOf(siarin.url, five.user.apiKey)).map(({ filename }) => filename)
/** How far each reader of the outbox is behind it. */
function untold(): number[] {
  const database = new SqliteDatabase(join(siarin.dataDir, 'siarin.db'), { readonly: true })
  const behind = database.prepare('select (select max(id) from outbox) - after_id from outbox_readers').pluck().all()
  database.close()
  return behind as number[]
}
const IS_FULL = { success: false, code: 'storage_full', message: expect.stringContaining('penuh') }

beforeAll(async () => {
  const mounted = await mountSmallDisk(40)
  if ('refusal' in mounted) {
    refusal = `no small disk can be mounted here: ${mounted.refusal}`
    return
  }
  disk = mounted
  // Without a reserve, so that writing goes on until there is really no room any more.
  siarin = await startSiarin({ dataDir: disk.path, env: { DISK_RESERVE_MB: '0' } })
  five = await putFiveOnAir(siarin)
  const file = join(five.clip, '..', 'besar.mp4')
  await makeClip(file, { seconds: 4, extraArgs: ['-b:v', '8M', '-minrate', '8M', '-maxrate', '8M', '-bufsize', '8M'] })
  large = await readFile(file)
}, 600_000)

afterAll(async () => {
  if (refusal) process.stdout.write(`\nSKIPPED, a full data folder was not tried: ${refusal}\n\n`)
  await disk?.makeRoom()
  await siarin?.dispose()
  await five?.end()
  await disk?.remove()
  table.print()
})

beforeEach((context) => context.skip(refusal !== '', refusal))

/** As a browser sends it that does not say how much will come. */
function uploadUnannounced(bytes: Buffer): Promise<Response> {
  const head = '--x\r\nContent-Disposition: form-data; name="video"; filename="besar.mp4"\r\n\r\n'
  const body = new Blob([head, new Uint8Array(bytes), '\r\n--x--\r\n']).stream()
  return fetch(`${siarin.url}/fitur/video/upload?apiKey=${five.user.apiKey}`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body,
    duplex: 'half',
  } as RequestInit)
}

describe('while the data folder is full', { timeout: 600_000 }, () => {
  it('broadcasts go on, and one whose ffmpeg is killed comes back', async () => {
    await smallDisk().fill()
    await waitFor('the disk to be felt', async () => siarin.output().includes('lives on its reserve'))
    const before = { pid: siarin.pid, pids: await five.pids() }
    five.offAir.longestMs()
    const killed = await five.killOne()
    table.add('kill -9 of an ffmpeg on a full disk', five.offAir.longestMs(), 3)
    expect(await five.pids()).toEqual(expect.arrayContaining(before.pids.filter((pid) => pid !== killed)))
    expect(siarin.pid).toBe(before.pid)
    // What is left is for broadcasts: those who tell of them wait.
    expect(Math.min(...untold())).toBeGreaterThan(0)
  })

  it('an upload is refused in words, and nothing of it is left', async () => {
    const before = await filenames()
    const reply = await uploadVideo(siarin.url, five.user.apiKey, five.clip)
    expect(reply).toMatchObject({ status: 507, body: IS_FULL })
    const resumable = await tusOf(siarin.url, five.user.apiKey).create(large.length)
    expect({ status: resumable.status, body: await resumable.json() }).toMatchObject({ status: 507, body: IS_FULL })
    expect(await halfWritten()).toEqual([])
    expect(await filenames()).toEqual(before)
  })

  it('so are a new broadcast and a sign-in', async () => {
    expect(await five.start('one-more')).toMatchObject({ status: 507, body: IS_FULL })
    const signIn = await call(siarin.url, 'POST', '/auth/register', { body: newUser() })
    expect(signIn).toMatchObject({ status: 507, body: { ...IS_FULL, message: expect.stringContaining('full') } })
  })

  it('what happened is written all the same', async () => {
    await smallDisk().makeRoom()
    const back = await waitFor('the return to be written', async () => {
      const streams = await five.active()
      return (
        streams.length === 5 &&
        streams.every(({ state }) => state === 'live') &&
        streams.find((one) => one.restarts > 0)
      )
    })
    expect(back.restarts).toBe(1)
    await waitFor('it to be told', async () => Math.max(...untold()) === 0)
    const told = await five.events(back.streamId)
    expect(told.map(({ kind }) => kind)).toEqual(['back', 'lost', 'live', 'asked'])
    const database = new SqliteDatabase(join(siarin.dataDir, 'siarin.db'), { readonly: true })
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    database.close()
  })

  it('a Stop takes a broadcast off air', async () => {
    const { body } = await five.start('to-be-stopped')
    await five.rtmp.waitForPublisher('to-be-stopped')
    await smallDisk().fill()
    const stopped = await five.stop(body.streamId)
    expect(stopped).toMatchObject({ status: 200, body: { success: true } })
    // A stop is answered after some seconds, also where the broadcast is not off air yet.
    await waitFor('its end', async () => !(await five.active()).some(({ streamId }) => streamId === body.streamId))
    expect(await five.pids()).toHaveLength(5)
  })

  it('a program that is killed comes back on it, takes its broadcasts over, and leaves off air what was stopped', async () => {
    five.offAir.longestMs()
    const before = await five.pids()
    await siarin.kill9()
    await smallDisk().fill()
    await siarin.restart()
    await waitFor('all to be taken over', async () => siarin.output().split('took over a running ffmpeg').length > 5)
    expect(await five.pids()).toEqual(before)
    table.add('kill -9 of the program on a full disk', five.offAir.longestMs(), 0.5)
    await five.allLive()
    expect(await five.active()).toHaveLength(5)
    expect(await five.pids()).toEqual(before)
  })

  it.runIf(isWholeRun)('one that was ended and is started anew puts its broadcasts on air', async () => {
    const before = await five.pids()
    await siarin.stop()
    await smallDisk().fill()
    await siarin.restart()
    await waitFor('another ffmpeg for each', async () => {
      const now = await five.pids()
      return now.length === 5 && now.every((pid) => !before.includes(pid))
    })
    await five.allOnAir()
    await five.allLive()
    await smallDisk().makeRoom()
  })
})

describe.runIf(isWholeRun)('without any room, not even for the database', { timeout: 600_000 }, () => {
  const useUp = async () => {
    await rm(join(siarin.dataDir, 'siarin.db-reserve'))
    await smallDisk().fill()
  }
  const readiness = async () => {
    const answer = await fetch(`${siarin.url}/readyz`)
    return { status: answer.status, body: (await answer.json()) as { message: string } }
  }
  /** The disk and nothing else: while its worker has not begun too, nobody there hears of a Stop. */
  const saysWhy = async () => {
    const { status, body } = await readiness()
    return status === 503 && body.message === 'not ready: disk'
  }
  const isActive = async (id: string) => (await five.active()).some(({ streamId }) => streamId === id)

  it('a Stop takes a broadcast off air and says that it is not noted', async () => {
    // Its log begins anew, so that nothing is left there either.
    await siarin.restart()
    await five.allLive()
    const { streamId } = (await five.start('unwritten')).body
    await five.rtmp.waitForPublisher('unwritten')
    await useUp()
    await waitFor('it to say why', saysWhy)
    const stopped = await five.stop(streamId)
    expect(stopped).toMatchObject({ status: 200, body: { message: STREAM_TEXTS.stoppedUnwritten } })
    expect(await five.pids()).toHaveLength(5)
    expect(await isActive(streamId)).toBe(true)
    await smallDisk().makeRoom()
    await waitFor('the end to be noted', async () => !(await isActive(streamId)))
    expect(await readiness()).toMatchObject({ status: 200 })
  })

  it('a program that was killed is not ready, says why, and still stops what it could not take over', async () => {
    const { streamId } = (await five.start('unclaimed')).body
    await five.rtmp.waitForPublisher('unclaimed')
    await waitFor('it to be live', async () => (await five.active()).every(({ state }) => state === 'live'))
    await siarin.stop('SIGKILL')
    await useUp()
    const ready = siarin.restart()
    await waitFor('it to say why', saysWhy)
    expect(await five.stop(streamId)).toMatchObject({ status: 200, body: { message: STREAM_TEXTS.stoppedUnwritten } })
    expect(await five.pids()).toHaveLength(5)
    await smallDisk().makeRoom()
    await ready
    await waitFor('the end to be noted', async () => !(await isActive(streamId)))
    expect(await five.pids()).toHaveLength(5)
    await five.allLive()
  })
})

describe.runIf(isWholeRun)('an upload during which the data folder fills up', { timeout: 600_000 }, () => {
  it('is refused in words, and nothing of it is left', async () => {
    const before = await filenames()
    await smallDisk().fill(large.length / 2)
    const answer = await uploadUnannounced(large)
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status: 507, body: IS_FULL })
    expect(await halfWritten()).toEqual([])
    expect(await filenames()).toEqual(before)
    await smallDisk().makeRoom()
  })

  it('goes on where it stopped when it is resumable and there is room again', async () => {
    const tus = tusOf(siarin.url, five.user.apiKey)
    const location = locationOf(await tus.create(large.length, 'lanjut.mp4'))
    const third = Math.floor(large.length / 3)
    expect((await tus.patch(location, 0, large.subarray(0, third))).status).toBe(204)
    await smallDisk().fill(third / 2)
    const full = await tus.patch(location, third, large.subarray(third))
    expect({ status: full.status, body: await full.json() }).toMatchObject({ status: 507, body: IS_FULL })
    await smallDisk().makeRoom()

    const offset = Number((await tus.head(location)).headers.get('upload-offset'))
    expect(offset).toBeGreaterThanOrEqual(third)
    expect((await tus.patch(location, offset, large.subarray(offset))).status).toBe(204)
    expect(await processed(siarin.url, five.user.apiKey, 'lanjut.mp4')).toMatchObject({
      status: 'ready',
      size: large.length,
    })
    expect(await halfWritten()).toEqual([])
    await five.allOnAir()
  })
})
