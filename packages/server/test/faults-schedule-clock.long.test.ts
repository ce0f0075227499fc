import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { waitFor } from '@siarin/testkit/wait-for'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PATIENT, startMovedProgram } from './support/moved-program.ts'
import { call, personWithVideo } from './support/program.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './support/schedule-suite.ts'
import { dailyAt, minuteAfter } from './support/schedules.ts'

/** More than one poll of a program that is alone. */
const LOOKED_MS = 8_000

let moved: Awaited<ReturnType<typeof startMovedProgram>>
let rtmp: RtmpServer
let firstDue: number

function inDatabase<T>(work: (db: SqliteDatabase.Database) => T): T {
  const db = new SqliteDatabase(join(moved.siarin.dataDir, 'siarin.db'), { timeout: 10_000 })
  try {
    return work(db)
  } finally {
    db.close()
  }
}
const statesBefore = (until: number): string[] =>
  inDatabase((db) =>
    db.prepare(`select state from schedule_occurrences where due_at < ${until} order by due_at, id`).all(),
  ).map((row) => (row as { state: string }).state)
const countIn = (...states: string[]): number =>
  statesBefore(firstDue + DAY_MS).filter((state) => states.includes(state)).length
const begunCount = (): number => countIn('started', 'ended')

beforeAll(async () => {
  moved = await startMovedProgram('faults-schedule-clock', 'moved-clock.mjs', Date.now())
  rtmp = await startRtmpServer()
  const clip = join(moved.folder, 'klip.mp4')
  await makeClip(clip, { seconds: 4 })
  const { apiKey } = await personWithVideo(moved.siarin, clip)
  firstDue = minuteAfter(moved.now(), 45 * MINUTE_MS)
  for (const [key, due] of [
    ['satu', firstDue],
    ['dua', firstDue + 30 * MINUTE_MS],
    ['tiga', firstDue + 60 * MINUTE_MS],
  ] as const) {
    const broadcast = { source: 'klip.mp4', platform: 'lain', rtmpStream: `${rtmp.url}/${key}` }
    const body = { rule: dailyAt(due, 29), broadcast }
    const made = await call(moved.siarin.url, 'POST', '/fitur/schedule', { body, headers: { 'x-api-key': apiKey } })
    expect(made.body).toMatchObject({ success: true })
  }
}, 300_000)

afterAll(async () => {
  await moved?.dispose()
  await rtmp?.stop()
})

const allDue = () => Array(24).fill('due')
const planned = () => statesBefore(firstDue + 8 * DAY_MS - MINUTE_MS)

describe('[SCHED-02] schedules of a real program whose clock is wrong for a while', { timeout: 600_000 }, () => {
  it.each([
    ['40 days ahead for 17 s', 40 * DAY_MS, 17_000],
    ['2 hours ahead for 7 s', 2 * HOUR_MS, 7_000],
    ['an hour ahead for 20 s', HOUR_MS, 20_000],
    ['an hour behind for 20 s', -HOUR_MS, 20_000],
  ])('%s: nothing is lost or started', async (_, byMs, forMs) => {
    expect(planned()).toEqual(allDue())
    await moved.setClock(moved.now() + byMs)
    await sleep(forMs)
    await moved.setClock(moved.now() - byMs)
    await sleep(LOOKED_MS)
    expect(planned()).toEqual(allDue())
  })

  it('started by a hardware clock in local time, which is set right then: nothing is lost or started', async () => {
    await moved.siarin.kill9()
    // As after a boot: nothing is known of how this machine's clock stood.
    inDatabase((db) => db.prepare(`update schedule_clocks set boot_id = 'the boot before'`).run())
    await moved.setClock(moved.now() + 7 * HOUR_MS)
    await moved.siarin.restart()
    await sleep(LOOKED_MS)
    await moved.setClock(moved.now() - 7 * HOUR_MS)
    await sleep(LOOKED_MS)
    expect(planned()).toEqual(allDue())
  })

  it('all three go on air at their times afterwards', async () => {
    for (const [index, key] of ['satu', 'dua', 'tiga'].entries()) {
      // A step forward that stays: after ten minutes it is the time, and the window is still open.
      await moved.setClock(firstDue + index * 30 * MINUTE_MS)
      await sleep(LOOKED_MS)
      expect(begunCount()).toBe(index)
      await moved.pass(10 * MINUTE_MS)
      await waitFor(`${key} to start`, async () => begunCount() > index, PATIENT)
      await rtmp.waitForPublisher(key, { growing: true, ...PATIENT })
    }
  })

  it('one that is on air and that a clock an hour ahead has ended after ten minutes is on air again at the true look', async () => {
    await moved.setClock(moved.now() + HOUR_MS)
    await sleep(LOOKED_MS)
    expect(countIn('started')).toBe(1)
    await moved.pass(10 * MINUTE_MS)
    await rtmp.waitForNoPublisher('tiga', PATIENT)
    await waitFor('its end', async () => countIn('ended') === 3, PATIENT)
    await moved.setClock(moved.now() - HOUR_MS)
    await rtmp.waitForPublisher('tiga', { growing: true, ...PATIENT })
    expect(countIn('started')).toBe(1)
  })
})
