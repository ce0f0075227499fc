import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClip } from '@siarin/testkit/clips'
import { cpuSeconds, residentBytes } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { newApiKey } from '../person.ts'
import { type Row, shared } from '../row.ts'
import { simulateStreams } from '../simulated-streams.ts'
import { type Stage, setStage } from '../stage.ts'

const STREAMS = 2_000
/** An account may begin a thousand an hour. */
const STREAMS_EACH = 500
/** Each is a process to start, and the machine has other things to do. */
const STARTS_AT_ONCE = 4
const START_TIMEOUT_MS = 600_000
const SETTLE_MS = 10_000
const WINDOW_MS = 30_000

/** A program that reads each progress once a second, and does nothing with it. */
const READER = `
import { readFileSync } from 'node:fs'
const files = JSON.parse(readFileSync(process.argv[1], 'utf8'))
setInterval(() => files.forEach((file) => readFileSync(file)), 1000)
`

async function goLiveMany(stage: Stage, clip: string): Promise<void> {
  const people = await Promise.all(
    Array.from({ length: STREAMS / STREAMS_EACH }, async () => {
      const by = { 'x-api-key': await newApiKey(stage.siarin.url) }
      const filename = await stage.upload(clip, undefined, by)
      await stage.untilReady(filename, undefined, by)
      return { by, filename }
    }),
  )
  let next = 0
  const startInTurn = async () => {
    while (next < STREAMS) {
      const { by, filename } = people[next % people.length] as (typeof people)[number]
      await stage.goLive(filename, `rtmp://127.0.0.1:1/live/simulated${next++}`, {}, by)
    }
  }
  await Promise.all(Array.from({ length: STARTS_AT_ONCE }, startInTurn))
  await waitFor(
    'all streams to be live',
    async () => (await metric(stage, 'siarin_streams{phase="live"}')) === STREAMS,
    { timeoutMs: START_TIMEOUT_MS, everyMs: 1000 },
  )
}

async function metric(stage: Stage, name: string): Promise<number> {
  const lines = (await (await fetch(`${stage.siarin.url}/metrics`)).text()).split('\n')
  return Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length))
}

/** Since it was asked last. */
const delayMs = async (stage: Stage): Promise<number> =>
  1000 * (await metric(stage, 'siarin_nodejs_eventloop_lag_p99_seconds'))

async function measureMany() {
  await using simulated = await simulateStreams()
  const env = {
    FFMPEG_PATH: simulated.ffmpegPath,
    MAX_STREAMS_PER_WORKER: String(STREAMS),
    LOG_LEVEL: 'warn',
    // Their end is of no interest here, and that of so many takes its time.
    KEEP_STREAMS_ON_EXIT: 'true',
  }
  await using stage = await setStage({ env })
  const clip = join(stage.folder, 'klip.mp4')
  await makeClip(clip)
  await goLiveMany(stage, clip)

  const list = join(stage.folder, 'files.json')
  await writeFile(list, JSON.stringify(simulated.progressFiles()))
  const reader = spawn(process.execPath, ['--input-type=module', '--eval', READER, list], { stdio: 'ignore' })
  stage.atEnd(() => reader.kill())
  const pids = { ours: stage.siarin.pid, yardstick: reader.pid ?? 0 }
  await sleep(SETTLE_MS)
  const lookAt = async (of: (pid: number) => Promise<number>) => ({
    ours: await of(pids.ours),
    yardstick: await of(pids.yardstick),
  })
  const before = await lookAt(cpuSeconds)
  await delayMs(stage)
  const ownDelay = monitorEventLoopDelay()
  ownDelay.enable()
  await sleep(WINDOW_MS)
  const after = await lookAt(cpuSeconds)
  const percent = (of: keyof typeof pids) => (100 * (after[of] - before[of])) / (WINDOW_MS / 1000)
  return {
    cpu: { ours: percent('ours'), yardstick: percent('yardstick') },
    memory: await lookAt(async (pid) => (await residentBytes(pid)) / 1e6),
    delay: { ours: await delayMs(stage), yardstick: ownDelay.percentile(99) / 1e6 },
  }
}

const measured = shared(measureMany)
const yardstick = 'bare Node that only reads their progress'

export const manyStreams: readonly Row[] = [
  {
    name: `stream: CPU of the program at ${STREAMS} simulated streams`,
    unit: '% of a core',
    yardstick,
    wanted: { atMost: 20 },
    measure: async () => (await measured()).cpu,
  },
  {
    name: `stream: memory of the program at ${STREAMS} simulated streams`,
    unit: 'MB',
    yardstick,
    wanted: { atMost: 300 },
    measure: async () => (await measured()).memory,
  },
  {
    // A program that gets no time to do its work would shine in the rows above.
    name: `stream: delay of the program's event loop at ${STREAMS} simulated streams, 99th percentile`,
    unit: 'ms',
    yardstick: 'the loop of this bench, meanwhile',
    wanted: { moreAtMost: 100 },
    measure: async () => (await measured()).delay,
  },
]
