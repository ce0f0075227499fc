import { join } from 'node:path'
import type { SessionUser } from '@siarin/contracts/auth'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder, kill9 } from '@siarin/testkit/processes'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { type OffAir, watchOffAir } from './off-air.ts'
import { personWithVideo } from './program.ts'
import { streamCalls } from './streams.ts'

const STREAMS = 5
/** Above most bounds: what is late fails at the table, with its figure. */
const PATIENT = { timeoutMs: 120_000 }

export type FiveBroadcasts = Awaited<ReturnType<typeof putFiveOnAir>>

/** What every fault is tried on: five broadcasts of one person, on air at an ingest that counts their bytes. */
export async function putFiveOnAir(program: { url: string; dataDir: string }) {
  const folder = await tempDir('faults')
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 4 })
  const rtmp: RtmpServer = await startRtmpServer()
  const user: SessionUser = await personWithVideo(program.url, clip)
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

  for (const name of names) {
    const { status, body } = await calls.start(apiKey, name)
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
    start: (name: string, more = {}) => calls.start(apiKey, name, more),
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
    /** Kills one of them and waits until all are on air again. Answers the pid that is no more. */
    async killOne(): Promise<number> {
      const [victim] = await ffmpegs()
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
