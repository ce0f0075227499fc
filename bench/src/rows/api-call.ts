import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { waitFor } from '@siarin/testkit/wait-for'
import autocannon from 'autocannon'
import { median, type Row, shared } from '../row.ts'
import { simulateStreams } from '../simulated-streams.ts'
import { type Stage, setStage } from '../stage.ts'

const WARM_UPS = 2
const ROUNDS = 3
const LOAD = { connections: 20, duration: 4 }
const STREAMS = 10
const PATH = '/fitur/steam/active'

interface Figures {
  readonly rate: number
  /** In milliseconds. */
  readonly p99: number
}

async function load(url: string, headers: Record<string, string> = {}): Promise<Figures> {
  const { requests, latency, non2xx, errors } = await autocannon({ url, headers, ...LOAD })
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} answers were refusals, ${errors} calls failed`)
  return { rate: requests.average, p99: latency.p99 }
}

/** In turns, so that both meet the same noise. */
async function inTurns(ours: () => Promise<Figures>, yardstick: () => Promise<Figures>) {
  const runs = { ours: [] as Figures[], yardstick: [] as Figures[] }
  // Neither is quick before it has been called some ten thousand times.
  for (let turn = 0; turn < WARM_UPS; turn++) await Promise.all([ours(), yardstick()])
  for (let round = 0; round < ROUNDS; round++) {
    runs.yardstick.push(await yardstick())
    runs.ours.push(await ours())
  }
  return (of: keyof Figures) => ({
    ours: median(runs.ours.map((run) => run[of])),
    yardstick: median(runs.yardstick.map((run) => run[of])),
  })
}

/** The cheapest call that has to know who asks: an API key looked up and a query answered. */
const empty: Row = {
  name: `api: GET ${PATH} with an API key`,
  unit: 'requests/s',
  yardstick: 'bare Node http',
  wanted: { ratioAtLeast: 0.05 },
  async measure() {
    await using stage = await setStage({ env: { LOG_LEVEL: 'warn' } })
    const bare = createServer((_, response) => response.end('{"success":true}')).listen(0, '127.0.0.1')
    stage.atEnd(() => bare.close())
    await once(bare, 'listening')
    const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`
    const figures = await inTurns(
      () => load(stage.siarin.url + PATH, stage.headers),
      () => load(bareUrl),
    )
    return figures('rate')
  },
}

/** The address of a bare Fastify that answers this. */
async function startBareFastify(stage: Stage, answer: object): Promise<string> {
  const bare = fork(join(import.meta.dirname, '..', 'bare-fastify.ts'))
  stage.atEnd(() => bare.kill())
  bare.send(answer)
  const [url] = (await once(bare, 'message')) as [string]
  return url
}

async function measureStreams() {
  await using simulated = await simulateStreams()
  await using stage = await setStage({
    env: { FFMPEG_PATH: simulated.ffmpegPath, LOG_LEVEL: 'warn', KEEP_STREAMS_ON_EXIT: 'true' },
  })
  const clip = join(stage.folder, 'klip.mp4')
  await makeClip(clip)
  const filename = await stage.upload(clip)
  await stage.untilReady(filename)
  for (let index = 0; index < STREAMS; index++) {
    await stage.goLive(filename, `rtmp://127.0.0.1:1/live/simulated${index}`)
  }
  const answer = await waitFor('all streams to be live', async () => {
    const read = (await (await fetch(stage.siarin.url + PATH, { headers: stage.headers })).json()) as {
      streams: { state: string }[]
    }
    return read.streams.filter(({ state }) => state === 'live').length === STREAMS && read
  })
  const bareUrl = await startBareFastify(stage, answer)
  return await inTurns(
    () => load(stage.siarin.url + PATH, stage.headers),
    () => load(bareUrl),
  )
}

const measured = shared(measureStreams)
const name = `api: GET ${PATH} with an API key and ${STREAMS} streams`
const yardstick = 'the same answer from a bare Fastify'

export const apiCalls: readonly Row[] = [
  empty,
  {
    ...{ name, yardstick },
    unit: 'requests/s',
    wanted: { ratioAtLeast: 0.4 },
    measure: async () => (await measured())('rate'),
  },
  {
    name: `${name}, 99th percentile`,
    yardstick,
    unit: 'ms',
    wanted: { ratioAtMost: 3 },
    measure: async () => (await measured())('p99'),
  },
]
