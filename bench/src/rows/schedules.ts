import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClip } from '@siarin/testkit/clips'
import { waitFor } from '@siarin/testkit/wait-for'
import { newApiKey } from '../person.ts'
import type { Row } from '../row.ts'
import { type SimulatedStreams, simulateStreams } from '../simulated-streams.ts'
import { type ApiKey, setStage } from '../stage.ts'

const STARTS = 1_000
/** Nobody may have more schedules than two hundred. */
const PEOPLE = 5
/** As many as schedules start at once. */
const AT_ONCE = 25
const MINUTE_MS = 60_000
const PATIENT = { timeoutMs: 300_000, everyMs: 20 }

interface Crowd {
  readonly simulated: SimulatedStreams
  /** Asks for something in the name of the one whose turn it is. */
  post(turn: number, path: string, body: object): Promise<void>
}

/** A program whose ffmpegs are stand-ins, and people with a video each. */
async function withCrowd<T>(use: (crowd: Crowd) => Promise<T>): Promise<T> {
  await using simulated = await simulateStreams()
  const env = {
    FFMPEG_PATH: simulated.ffmpegPath,
    MAX_STREAMS_PER_WORKER: String(2 * STARTS),
    LOG_LEVEL: 'warn',
    // Their end is of no interest here, and that of so many takes its time.
    KEEP_STREAMS_ON_EXIT: 'true',
  }
  await using stage = await setStage({ env })
  const clip = join(stage.folder, 'klip.mp4')
  await makeClip(clip)
  const people: ApiKey[] = [stage.headers]
  while (people.length < PEOPLE) people.push({ 'x-api-key': await newApiKey(stage.siarin.url) })
  for (const by of people) await stage.untilReady(await stage.upload(clip, undefined, by), 20, by)
  const post = async (turn: number, path: string, body: object): Promise<void> => {
    const headers = { ...people[turn % PEOPLE], 'content-type': 'application/json' }
    const answer = await fetch(stage.siarin.url + path, { method: 'POST', body: JSON.stringify(body), headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
  // Awaited here: what is in use must not be disposed of before.
  return await use({ simulated, post })
}

async function inTurns(work: (turn: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < STARTS) await work(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

const startOf = (turn: number) => ({
  ...{ source: 'klip.mp4', platform: 'lain', rtmpStream: `rtmp://127.0.0.1:1/live/simulated${turn}` },
})

const allRun = ({ simulated }: Crowd) =>
  waitFor('all processes to run', async () => (await simulated.started()) >= STARTS, PATIENT)

/** Seconds from their minute until the process of each runs. */
const scheduled = (): Promise<number> =>
  withCrowd(async (crowd) => {
    // Saving them takes its time.
    const due = Math.ceil((Date.now() + MINUTE_MS) / MINUTE_MS) * MINUTE_MS
    const [date = '', time = ''] = new Date(due).toISOString().split('T')
    const rule = { repeat: { kind: 'once', date }, windows: [{ start: time.slice(0, 5), minutes: 60 }], zone: 'UTC' }
    await inTurns((turn) => crowd.post(turn, '/fitur/schedule', { rule, broadcast: startOf(turn) }))
    if (Date.now() > due - 1_000) throw new Error('the schedules were saved too late')
    await sleep(due - Date.now())
    await allRun(crowd)
    return (Date.now() - due) / 1000
  })

const plain = (): Promise<number> =>
  withCrowd(async (crowd) => {
    const begun = performance.now()
    await inTurns((turn) => crowd.post(turn, '/fitur/steam/start', startOf(turn)))
    await allRun(crowd)
    return (performance.now() - begun) / 1000
  })

export const scheduleRows: readonly Row[] = [
  {
    name: `schedule: ${STARTS} due in the same minute, until the process of each runs`,
    unit: 's',
    yardstick: `${STARTS} plain starts, ${AT_ONCE} at once`,
    wanted: { atMost: 10 },
    measure: async () => ({ ours: await scheduled(), yardstick: await plain() }),
  },
]
