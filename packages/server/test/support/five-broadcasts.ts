import { join } from 'node:path'
import type { SessionUser } from '@siarin/contracts/auth'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder, kill9 } from '@siarin/testkit/processes'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { type OffAir, watchOffAir } from './off-air.ts'
import { call, personWithVideo, processed, uploadVideo } from './program.ts'
import { streamCalls } from './streams.ts'

const STREAMS = 5
/** Above most bounds: what is late fails at the table, with its figure. */
const PATIENT = { timeoutMs: 120_000 }

export type FiveBroadcasts = Awaited<ReturnType<typeof putFiveOnAir>>

/** 400 s: nobody runs so many faults that it comes to its end. */
const LONG_ITEM = { picture: 'color=gray', seconds: 3.2, times: 125 }

/** A playlist that begins with its second item, which is long. Answers what a start names. */
async function addPlaylist(url: string, apiKey: string, folder: string) {
  const name = 'panjang.mp4'
  const long = join(folder, name)
  await makeClip(long, LONG_ITEM)
  await uploadVideo(url, apiKey, long, name)
  await processed(url, apiKey, name)
  const { body } = await call(url, 'POST', '/fitur/playlist', {
    body: { apiKey, name: 'Daftar', videos: ['klip.mp4', name] },
  })
  const { id, items } = body.playlist as { id: string; items: { id: string }[] }
  return { source: `playlist:${id}`, playlistItem: items[1]?.id }
}

/**
 * What every fault is tried on: five broadcasts of one person, on air at an ingest that counts their bytes. `playlist`: the last of them plays
 * one.
 */
export async function putFiveOnAir(program: { url: string; dataDir: string }, { playlist = false } = {}) {
  const folder = await tempDir('faults')
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 4 })
  const rtmp: RtmpServer = await startRtmpServer()
  const user: SessionUser = await personWithVideo(program, clip)
  const { apiKey } = user
  const calls = streamCalls(program.url, rtmp)
  const names = Array.from({ length: STREAMS }, (_, index) => `fault-${index}`)

  const active = () => calls.active(apiKey)
  const ffmpegs = () => ffmpegsUnder(program.dataDir)
  const pids = async () => (await ffmpegs()).map(({ pid }) => pid).sort()
  const restarts = async () => (await active()).reduce((sum, stream) => sum + stream.restarts, 0)
  const allOnAir = async (): Promise<void> => {
    await Promise.all(names.map((name) => rtmp.waitForPublisher(name, { growing: true, ...PATIENT })))
  }
  const allLive = () =>
    waitFor(
      'all streams to be live',
      async () => (await active()).filter(({ state }) => state === 'live').length === STREAMS,
      PATIENT,
    )
  const anotherFor = (pid: number | undefined) =>
    waitFor(
      'another ffmpeg in its place',
      async () => {
        const now = await pids()
        return now.length === STREAMS && !now.includes(pid ?? 0)
      },
      PATIENT,
    )

  const listName = playlist ? (names.at(-1) ?? '') : ''
  const list = playlist ? await addPlaylist(program.url, apiKey, folder.path) : {}
  for (const name of names) {
    const { status, body } = await calls.start(apiKey, name, { record: true, ...(name === listName ? list : {}) })
    if (status !== 200) throw new Error(`${name} could not be started: ${body.message}`)
  }
  await allOnAir()
  await allLive()
  const offAir: OffAir = watchOffAir(rtmp, names)
  return {
    rtmp,
    user,
    clip,
    names,
    offAir,
    start: (name: string, more = {}) => calls.start(apiKey, name, { record: true, ...more }),
    stop: (streamId: string) => calls.stop(apiKey, streamId),
    history: () => calls.history(apiKey),
    events: (streamId: string) => calls.events(apiKey, streamId),
    active,
    ffmpegs,
    pids,
    restarts,
    allOnAir,
    allLive,
    anotherFor,
    listName,
    /** What the one with the playlist plays. */
    async listed() {
      const found = (await active()).find((stream) => stream.playlist !== null)?.playlist
      if (!found) throw new Error('no playlist is on air')
      return found
    },
    /** Kills one of them, or the named one, and waits until all are on air again. Answers the pid that is no more. */
    async killOne(named?: string): Promise<number> {
      const victim = (await ffmpegs()).find(({ args }) => !named || args.at(-1)?.endsWith(`/${named}`))
      const name = victim?.args.at(-1)?.split('/').at(-1) ?? ''
      const session = await rtmp.waitForPublisher(name, PATIENT)
      kill9(victim)
      await anotherFor(victim?.pid)
      await rtmp.waitForPublisher(name, { otherThan: session.id, ...PATIENT })
      await allOnAir()
      return victim?.pid ?? 0
    },
    async end(): Promise<void> {
      offAir.stop()
      await rtmp.stop()
      await folder.remove()
    },
  }
}
