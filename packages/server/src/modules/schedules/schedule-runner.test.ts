import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { USUAL_TIMINGS } from '../../platform/timings.ts'
import type { OccurrenceRow } from './occurrences.repo.ts'
import { createScheduleRunner } from './schedule-runner.ts'

const MINUTE_MS = 60_000
const NOW = 1_800_000_000_000

const log = pino({ level: 'silent' })
const none = async () => []

function runnerOf({ repo = {}, occurrences = {}, paused = {}, isAlone = false }) {
  return createScheduleRunner({
    repo: { toBePlanned: none, toBeDerived: none, clearDeleted: async () => {}, ...repo } as never,
    paused: { stillPlanned: none, unplan: async () => {}, ...paused },
    mends: {
      takeBack: async () => 0,
      takeBackEnds: async () => 0,
      replan: async () => {},
      bringForward: async () => {},
    },
    trust: async () => ({ now: NOW, isTrusted: true, isSure: true, stepsBack: 0 }),
    occurrences: {
      nextAt: async () => NOW,
      claim: none,
      claimChecks: none,
      claimWatches: none,
      ...occurrences,
    } as never,
    ...{ fire: async () => false, check: async () => true, watch: async () => true },
    ...{ clock: { now: () => NOW }, log, timings: USUAL_TIMINGS, isAlone },
  })
}

/** How long one waits that could not start, for the tenth time. */
async function waitOf(sinceDueMs: number): Promise<number> {
  const row = { id: 'one', due_at: NOW - sinceDueMs, tries: 10 } as OccurrenceRow
  const putOff = vi.fn(async (_row: OccurrenceRow, _untilMs: number) => {})
  const claim = vi.fn<() => Promise<OccurrenceRow[]>>(async () => []).mockResolvedValueOnce([row])
  const runner = runnerOf({ occurrences: { claim, putOff } })
  await runner.start()
  await vi.waitFor(() => expect(putOff).toHaveBeenCalled())
  await runner.stop()
  return (putOff.mock.calls[0]?.[1] ?? Number.NaN) - NOW
}

describe('[SCHED-04] what could not start', () => {
  it('is tried every few seconds in the first minutes, and seldom later on', async () => {
    expect(await waitOf(MINUTE_MS)).toBeLessThanOrEqual(15_000)
    expect(await waitOf(9 * MINUTE_MS)).toBeLessThanOrEqual(15_000)
    expect(await waitOf(11 * MINUTE_MS)).toBeGreaterThan(50_000)
  })
})

describe('the planner', () => {
  const throws = async () => {
    throw new Error('database or disk is full')
  }

  it.each([
    ['takes long', (isOver: () => boolean) => vi.waitUntil(isOver, { timeout: MINUTE_MS, interval: 5 })],
    ['fails', throws],
  ])('[SAFE-07] has planned by the time that the clearing of deleted schedules %s', async (_, clearDeleted) => {
    const order: string[] = []
    const runner = runnerOf({
      repo: {
        toBePlanned: async () => {
          order.push('planned')
          return []
        },
        clearDeleted: async (isOver: () => boolean) => {
          order.push('clearing')
          await clearDeleted(isOver)
        },
      },
    })
    await runner.start()
    await vi.waitFor(() => expect(order).toEqual(['planned', 'clearing']))
    await runner.stop()
  })

  it('plans, derives and takes away for all others where those of some fail, also where they come first', async () => {
    const failing = Array.from({ length: 150 }, (_, number) => `failing-${number}`)
    const others = Array.from({ length: 120 }, (_, number) => `other-${number}`)
    /** What is found again for as long as it is not done. */
    const table = () => {
      const left = new Set([...failing, ...others])
      return {
        left,
        find: vi.fn(async (most: number) => [...left].slice(0, most).map((id) => ({ id }))),
        work: vi.fn(async ({ id }: { id: string }) => {
          if (id.startsWith('failing')) throw new SyntaxError('this rule cannot be read')
          left.delete(id)
        }),
      }
    }
    const [planned, derived, paused] = [table(), table(), table()]
    const warn = vi.spyOn(log, 'warn')
    const clearDeleted = vi.fn(async () => {})
    const runner = runnerOf({
      repo: {
        toBePlanned: (_: number, most: number) => planned.find(most),
        plan: planned.work,
        toBeDerived: (_: number, most: number) => derived.find(most),
        deriveNext: derived.work,
        clearDeleted,
      },
      paused: { stillPlanned: paused.find, unplan: paused.work },
    })
    await runner.start()
    await vi.waitFor(() => expect(clearDeleted).toHaveBeenCalled())
    await runner.stop()
    for (const { left, work } of [planned, derived, paused]) {
      expect([...left]).toEqual(failing)
      expect(work).toHaveBeenCalledTimes(failing.length + others.length)
    }
    expect(warn.mock.calls[0]).toMatchObject([{ scheduleId: 'failing-0' }, expect.any(String)])
  })

  it('ends its round where the database takes nothing at all', async () => {
    const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
    const plan = vi.fn(() => Promise.reject(full))
    const warn = vi.spyOn(log, 'warn')
    const runner = runnerOf({ repo: { toBePlanned: async () => [{ id: 'one' }, { id: 'two' }], plan } })
    await runner.start()
    await vi.waitFor(() => expect(warn).toHaveBeenCalledWith({ err: full }, 'schedules could not be planned'))
    await runner.stop()
    expect(plan).toHaveBeenCalledOnce()
  })

  it('begins also where a full disk keeps it from releasing what a crash has left claimed', async () => {
    const toBePlanned = vi.fn(none)
    const runner = runnerOf({ repo: { toBePlanned }, occurrences: { releaseAll: throws }, isAlone: true })
    await runner.start()
    await vi.waitFor(() => expect(toBePlanned).toHaveBeenCalled())
    await runner.stop()
  })
})
