import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import type { Siarin } from '@siarin/testkit/siarin-server'
import { waitFor } from '@siarin/testkit/wait-for'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLongForm } from './support/fault-table.ts'
import { PATIENT, random, seed, startMovedProgram } from './support/moved-program.ts'
import { call, personWithVideo } from './support/program.ts'

const KEYS = Array.from({ length: 5 }, (_, index) => `jadwal-${index}`)
/** 200 occurrences, or 5. */
const ROUNDS = isLongForm ? 40 : 1
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const WINDOW_MINUTES = 20

interface Occurrence {
  readonly id: string
  readonly state: string
  readonly due_at: number
  readonly broadcast_id: string | null
  readonly attempt: number
}

let moved: Awaited<ReturnType<typeof startMovedProgram>>
let rtmp: RtmpServer
let siarin: Siarin
let firstDue: number

function ask<T>(query: string): T[] {
  const db = new SqliteDatabase(join(siarin.dataDir, 'siarin.db'), { readonly: true, timeout: 10_000 })
  try {
    return db.prepare(query).all() as T[]
  } finally {
    db.close()
  }
}

/** Those that have come due. */
const occurrences = (): Occurrence[] =>
  ask<Occurrence>(`select * from schedule_occurrences where due_at <= ${moved.now()} order by due_at, id`)
const countIn = (state: string): number => occurrences().filter((each) => each.state === state).length

const killProgram = async (): Promise<void> => {
  await siarin.kill9()
  if (random() < 0.5) await sleep(random() * 500)
  await siarin.restart()
}

/** At most one of each target in a round: a target that never takes five tries is given up, which is another matter. */
async function killFfmpegs(): Promise<void> {
  for (const { pid, args } of await ffmpegsUnder(siarin.dataDir)) {
    if (!args.at(-1)?.startsWith('rtmp:') || random() < 0.5) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself meanwhile.
    }
  }
}

/** Around a moment at which something is due, in any order: kills of the program and of ffmpegs. */
async function disturb(): Promise<void> {
  await sleep(random() * 1_500)
  if (random() < 0.5) await killFfmpegs()
  if (random() < 0.8) await killProgram()
  await sleep(random() * 600)
  if (random() < 0.3) await killProgram()
}

/** To shortly before it, so that the moment itself comes; or past it, while nobody is there. */
async function reach(moment: number): Promise<void> {
  if (random() < 0.7) return moved.setClock(moment - random() * 1_500)
  await siarin.kill9()
  await moved.setClock(moment + random() * 5 * MINUTE_MS)
  await siarin.restart()
}

beforeAll(async () => {
  // Just behind an even hour: minutes before one, the schedules would have an occurrence that this test jumps over.
  const begun = Math.floor(Date.now() / (2 * HOUR_MS)) * 2 * HOUR_MS + MINUTE_MS
  moved = await startMovedProgram('faults-schedules', 'passing-time.mjs', begun)
  siarin = moved.siarin
  const clip = join(moved.folder, 'klip.mp4')
  await makeClip(clip, { seconds: 4 })
  rtmp = await startRtmpServer()
  const { apiKey } = await personWithVideo(siarin, clip)
  firstDue = Math.ceil((moved.now() + 10 * MINUTE_MS) / (2 * HOUR_MS)) * 2 * HOUR_MS
  const windows = Array.from({ length: 12 }, (_, at) => ({
    ...{ start: `${String(2 * at).padStart(2, '0')}:00`, minutes: WINDOW_MINUTES },
  }))
  for (const key of KEYS) {
    const broadcast = { source: 'klip.mp4', platform: 'lain', rtmpStream: `${rtmp.url}/${key}` }
    const body = { rule: { repeat: { kind: 'daily' }, windows, zone: 'UTC' }, broadcast }
    const answer = await call(siarin.url, 'POST', '/fitur/schedule', { body, headers: { 'x-api-key': apiKey } })
    if (answer.status !== 200) throw new Error(answer.body.message)
  }
}, 300_000)

afterAll(async () => {
  await moved?.dispose()
  await rtmp?.stop()
})

describe('schedules under kills at random, with the clock moved', { timeout: ROUNDS * 120_000 }, () => {
  it(`[SCHED-02] [SCHED-03] loses none of ${ROUNDS * KEYS.length} occurrences and doubles none`, async () => {
    process.stdout.write(`kills of schedules: SIARIN_SEED=${seed}\n`)
    for (let round = 0; round < ROUNDS; round++) {
      const due = firstDue + round * 2 * HOUR_MS
      await reach(due)
      await disturb()
      await waitFor('all to be started', async () => countIn('started') === KEYS.length, PATIENT)
      for (const key of KEYS) await rtmp.waitForPublisher(key, { growing: true, ...PATIENT })
      // A clock that is set back brings the minute again.
      if (random() < 0.3) {
        await moved.setClock(due - 30_000)
        await sleep(1_000)
      }
      const sending = (await ffmpegsUnder(siarin.dataDir)).map(({ args }) => args.at(-1) ?? '')
      for (const key of KEYS) expect(sending.filter((to) => to.endsWith(`/${key}`)).length).toBeLessThanOrEqual(1)

      await reach(due + WINDOW_MINUTES * MINUTE_MS)
      await disturb()
      await waitFor('all to be ended', async () => countIn('ended') === (round + 1) * KEYS.length, PATIENT)
      for (const key of KEYS) await rtmp.waitForNoPublisher(key, PATIENT)
    }
    const all = occurrences()
    expect(all).toHaveLength(ROUNDS * KEYS.length)
    expect(
      all.filter(({ state, attempt, id, broadcast_id }) => state !== 'ended' || attempt > 0 || broadcast_id !== id),
    ).toEqual([])
    const broadcasts = ask<{ id: string; created_at: number }>('select id, created_at from broadcasts')
    expect(broadcasts.map(({ id }) => id).sort()).toEqual(all.map(({ id }) => id).sort())
    const early = all.filter(({ id, due_at }) => (broadcasts.find((each) => each.id === id)?.created_at ?? 0) < due_at)
    expect(early).toEqual([])
    expect(await ffmpegsUnder(siarin.dataDir)).toEqual([])
  })
})
