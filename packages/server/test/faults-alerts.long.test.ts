import { setTimeout as sleep } from 'node:timers/promises'
import { DEFAULT_ALERT_SETTINGS } from '@siarin/contracts/alerts'
import { type PushService, startPushService } from '@siarin/testkit/push-service'
import type { Siarin } from '@siarin/testkit/siarin-server'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMAND_MANNERS, type Db, openDatabase } from '../src/platform/db/database.ts'
import { type Fact, writeFacts } from '../src/platform/outbox/facts.ts'
import { isLongForm } from './support/fault-table.ts'
import { PATIENT, random, seed, startMovedProgram } from './support/moved-program.ts'
import { call, signIn } from './support/program.ts'

const KILLS = isLongForm ? 50 : 3
/** So many of them at the moment at which a message has arrived, and nobody has written down yet that it has. */
const KILLS_AT_ARRIVAL = isLongForm ? 15 : 1
const INCIDENTS = isLongForm ? 100 : 16
const PEOPLE = isLongForm ? 5 : 2
const STREAMS_EACH = isLongForm ? 4 : 2
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

interface Person {
  readonly userId: string
  readonly endpoint: string
}
interface Step {
  readonly at: number
  readonly userId: string
  readonly stream: string
  readonly fact: Fact
}

let moved: Awaited<ReturnType<typeof startMovedProgram>>
let push: PushService
let siarin: Siarin
let db: Db
const people: Person[] = []
/** Which messages had arrived when the program was killed before it was answered. */
const cutShort: string[] = []
/** What the owner of each stream is to be told, in order. */
const expected = new Map<string, string[]>()

/** The push service takes no signature of tomorrow: the day is the one before now. */
const dayBegan = Date.now() - DAY_MS - 60 * MINUTE_MS

async function addPerson(): Promise<Person> {
  const { user } = await signIn(siarin.url)
  const headers = { 'x-api-key': user.apiKey }
  const { body } = await call(siarin.url, 'GET', '/fitur/alert/channel', { headers })
  const subscription = push.subscribe(body.offered.pushPublicKey)
  await call(siarin.url, 'POST', '/fitur/alert/channel/push', { body: { subscription }, headers })
  const settings = { ...DEFAULT_ALERT_SETTINGS, restartsPerHour: 100 }
  await call(siarin.url, 'PUT', '/fitur/alert/settings', { body: settings, headers })
  const row = await db.selectFrom('users').select('id').where('email', '=', user.email).executeTakeFirstOrThrow()
  return { userId: row.id, endpoint: subscription.endpoint }
}

/** The incidents of a day, one after another for each stream, and what follows from them. */
function planDay(): Step[] {
  const streams = people.flatMap(({ userId }) =>
    Array.from({ length: STREAMS_EACH }, (_, number) => ({ userId, stream: `${userId}-${number}` })),
  )
  const each = INCIDENTS / streams.length
  return streams.flatMap(({ userId, stream }) => {
    const told: string[] = []
    expected.set(stream, told)
    const steps: Step[] = []
    for (let number = 0; number < each; number++) {
      const slot = DAY_MS / each
      const at = Math.round(dayBegan + number * slot + random() * (slot - 20 * MINUTE_MS))
      const lengthMs = Math.round(5_000 + random() * 4 * MINUTE_MS)
      const over = at + lengthMs
      const planned = random() < 0.2
      const end = random()
      steps.push({
        at,
        userId,
        stream,
        fact: { at, fact: 'stream.interrupted', payload: { reason: 'stalled', planned } },
      })
      if (lengthMs >= MINUTE_MS) told.push('Siaran terputus')
      if (end < 0.8 && lengthMs >= MINUTE_MS) told.push('Tayang kembali')
      if (end >= 0.9) told.push('Siaran gagal')
      const last: Fact =
        end < 0.8
          ? { at: over, fact: 'stream.recovered', payload: { offAirMs: lengthMs } }
          : end < 0.9
            ? { at: over, fact: 'stream.ended', payload: { reason: 'stopped', cause: null } }
            : { at: over, fact: 'stream.failed', payload: { cause: 'target-refused' } }
      steps.push({ at: over, userId, stream, fact: last })
    }
    return steps
  })
}

interface Told {
  readonly id: string
  readonly title: string
  readonly topic: string
}
const toldBy = (payload: string): Told => JSON.parse(payload) as Told

/** One kill at a time, no matter who asks for it. */
let lastKill: Promise<void> = Promise.resolve()
function killProgram(): Promise<void> {
  lastKill = lastKill.then(async () => {
    await siarin.kill9()
    await siarin.restart()
  })
  return lastKill
}

let killsToCome = 0
/** A message that arrives while one is to come is the last that the program does. */
async function killAtArrival({ payload }: { payload: string }): Promise<void> {
  if (killsToCome === 0) return
  killsToCome -= 1
  cutShort.push(toldBy(payload).id)
  await killProgram()
}

beforeAll(async () => {
  moved = await startMovedProgram('faults-alerts', 'passing-time.mjs', dayBegan - 30 * MINUTE_MS)
  siarin = moved.siarin
  push = await startPushService()
  db = openDatabase(null, siarin.dataDir, pino({ level: 'silent' }), COMMAND_MANNERS)
  for (let number = 0; number < PEOPLE; number++) people.push(await addPerson())
})
afterAll(async () => {
  await db?.destroy()
  await moved?.dispose()
  await push?.dispose()
})

describe('a program that is killed again and again through a day', () => {
  it(`[ALERT-02] loses no alert, tells none twice without its id, and keeps each stream in order (seed ${seed})`, async () => {
    const day = planDay().sort((one, other) => one.at - other.at)
    const kills = new Set<number>()
    while (kills.size < KILLS - KILLS_AT_ARRIVAL) kills.add(Math.floor(random() * day.length))
    const atArrival = new Set<number>()
    // In the first half: enough messages come after them.
    while (atArrival.size < KILLS_AT_ARRIVAL) atArrival.add(Math.floor((random() * day.length) / 2))
    push.beforeAnswer(killAtArrival)
    for (const [index, { at, userId, stream, fact }] of day.entries()) {
      await moved.setClock(at)
      await writeFacts(db, { kind: 'stream', id: stream, userId }, [fact])
      await sleep(random() * (isLongForm ? 100 : 200))
      await lastKill
      if (atArrival.has(index)) killsToCome += 1
      if (!kills.has(index)) continue
      // Just after it was read, while it is sent, or long after.
      await sleep(random() * 1_200)
      await killProgram()
    }
    await lastKill
    await moved.setClock(Date.now())

    const received = () =>
      push.pushes.map(({ to, payload }) => {
        const { id, title, topic } = toldBy(payload)
        return { to, id, stream: topic.slice('stream:'.length), kind: title.split(':')[0] ?? '' }
      })
    const wanted = [...expected.values()].flat().length
    const told = () => [...new Map(received().map((each) => [`${each.to} ${each.id}`, each])).values()]
    await waitFor(`${wanted} alerts`, async () => told().length >= wanted, PATIENT)
    await waitFor(
      'everything to be done',
      async () =>
        !(await db.selectFrom('alert_deliveries').select('id').where('state', '=', 'waiting').executeTakeFirst()),
      PATIENT,
    )
    for (const { userId, endpoint } of people) {
      const own = told().filter(({ to }) => endpoint.endsWith(to))
      for (const [stream, kinds] of expected) {
        const said = own.filter((each) => each.stream === stream).map(({ kind }) => kind)
        expect({ stream, said }).toEqual({ stream, said: stream.startsWith(userId) ? kinds : [] })
      }
    }
    const times = (id: string) => received().filter((each) => each.id === id).length
    expect(cutShort).toHaveLength(KILLS_AT_ARRIVAL)
    for (const id of cutShort) expect(times(id), id).toBeGreaterThan(1)
    process.stdout.write(
      `alerts: ${KILLS} kills, ${cutShort.length} of them between sending and noting, ${day.length} facts, ${wanted} messages, ${received().length - wanted} sent again with their id\n`,
    )
  })
})
