import { setTimeout as sleep } from 'node:timers/promises'
import { kill9 } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLongForm, openFaultTable } from './support/fault-table.ts'
import { type FiveBroadcasts, putFiveOnAir } from './support/five-broadcasts.ts'
import { bearer, call, signIn, startProgram, type TestProgram } from './support/program.ts'

const HOUR_MS = 3_600_000
/** Longer than anything else that goes by the clock lets pass before it looks at it. */
const LOOKED_MS = isLongForm ? 3_000 : 1_500
/** What a slow machine may add to a figure; far less than an hour. */
const SLACK_SECONDS = 60

const table = openFaultTable('The clock is set: time off air as the ingest saw it, 5 streams')
let program: TestProgram
let five: FiveBroadcasts
let onAirAt: number
let token: string

beforeAll(async () => {
  program = await startProgram()
  five = await putFiveOnAir(program)
  onAirAt = performance.now()
  token = (await signIn(program.url)).token
}, 600_000)

afterAll(async () => {
  await program?.close()
  await five?.end()
  table.print()
})

/** All are on air from the beginning, but for the seconds after a kill. */
const isTimeOnAir = (seconds: number): boolean => {
  const trueSeconds = (performance.now() - onAirAt) / 1000
  return seconds > trueSeconds / 2 && seconds < trueSeconds + SLACK_SECONDS
}

/** What does not stand as it should; each broadcast sees a step of the clock when it is next looked at. */
const wrongFigures = async () =>
  (await five.active()).filter(({ state, uptime, since }) => {
    const sinceSeconds = Math.abs(program.clock.now() - Date.parse(since ?? '')) / 1000
    return state !== 'live' || !isTimeOnAir(uptime) || !(sinceSeconds < uptime + SLACK_SECONDS)
  })

const expectRightFigures = async (): Promise<void> => {
  await waitFor('right figures', async () => (await wrongFigures()).length === 0).catch(() => {})
  expect(await wrongFigures()).toEqual([])
  expect(await five.active()).toHaveLength(5)
}

/** How long each was off air, as its owner is told. */
const toldOffAirSeconds = async (): Promise<number[]> => {
  const told = await Promise.all((await five.active()).map(({ streamId }) => five.events(streamId)))
  return told.flat().flatMap(({ kind, offAirSeconds }) => (kind === 'back' ? [offAirSeconds ?? Number.NaN] : []))
}

const stepsOf = (...hours: number[]) =>
  hours.map((by) => ({ step: by > 0 ? 'forward by an hour' : 'back by an hour', ms: by * HOUR_MS }))

describe('when the clock is set', { timeout: 600_000 }, () => {
  // Ahead, back to where it was, and behind: then all that was written lies in the future.
  it.each(stepsOf(1, -1, -1))(
    '$step, broadcasts go on, their figures stay right, and nobody is signed out',
    async ({ step, ms }) => {
      const before = await five.pids()
      five.offAir.longestMs()
      program.clock.move(ms)
      await expectRightFigures()
      await sleep(LOOKED_MS)
      await expectRightFigures()
      expect(await five.pids()).toEqual(before)
      await five.allOnAir()
      table.add(`set ${step}`, five.offAir.longestMs(), 0.5)
      const profile = await call(program.url, 'GET', '/auth/profile', { headers: bearer(token) })
      expect(profile.status).toBe(200)
    },
  )

  it.each(stepsOf(1, 1, -1))('$step, an ffmpeg that is killed right then comes back', async ({ step, ms }) => {
    five.offAir.longestMs()
    program.clock.move(ms)
    await five.killOne()
    await five.allLive()
    table.add(`kill -9 of an ffmpeg right after it was set ${step}`, five.offAir.longestMs(), 3)
    await expectRightFigures()
  })

  it.each(stepsOf(1, -1))('$step, one that is off air at that moment comes back', async ({ step, ms }) => {
    five.offAir.longestMs()
    const [victim] = await five.ffmpegs()
    kill9(victim)
    await waitFor('it to be off air', async () => (await five.active()).some(({ state }) => state !== 'live'), {
      everyMs: 20,
    })
    program.clock.move(ms)
    await five.anotherFor(victim?.pid)
    await five.allOnAir()
    await five.allLive()
    table.add(`kill -9 of an ffmpeg right before it was set ${step}`, five.offAir.longestMs(), 3)
    await expectRightFigures()
  })

  it('what is told of it afterwards is right too', async () => {
    const offAirSeconds = await toldOffAirSeconds()
    expect(offAirSeconds).toHaveLength(5)
    for (const seconds of offAirSeconds) {
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThan(SLACK_SECONDS)
    }
    for (const { streamId } of await five.active()) await five.stop(streamId)
    const ended = await waitFor('all to have ended', async () => {
      const streams = await five.history()
      return streams.length === 5 && streams
    })
    expect(ended.map(({ ended: how }) => how)).toEqual(Array(5).fill('stopped'))
    expect(ended.filter(({ onAirSeconds }) => !isTimeOnAir(onAirSeconds))).toEqual([])
    expect(program.logged()).not.toMatch(/"level":[56]0/)
  })
})
