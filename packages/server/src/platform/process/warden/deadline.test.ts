import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Deadline,
  extended,
  formatDeadline,
  type MachineTime,
  machineTime,
  NO_DEADLINE,
  openDeadlineFile,
  overdueMs,
  parseDeadline,
} from './deadline.ts'

const NOW = { monotonicMs: 100_000, bootMs: 160_000 }
const deadlineAt = (untilMs: number, now: MachineTime): Deadline => extended(NO_DEADLINE, untilMs, now)

describe('a deadline', () => {
  it('is over when its moment has come', () => {
    const deadline = deadlineAt(105_000, NOW)
    const after = (ms: number) => ({ monotonicMs: NOW.monotonicMs + ms, bootMs: NOW.bootMs + ms })
    expect([0, 4_999, 5_000, 6_000].map((ms) => overdueMs(deadline, after(ms)))).toEqual([-5_000, -1, 0, 1_000])
  })

  it('is over after the machine has slept, which the monotonic clock does not count', () => {
    const deadline = deadlineAt(105_000, NOW)
    expect(overdueMs(deadline, { monotonicMs: 100_100, bootMs: 190_100 })).toBe(24_100)
  })

  it('is not over before its time where the time since the boot comes in whole seconds', () => {
    const deadline = deadlineAt(105_000, { monotonicMs: 100_000, bootMs: 160_000 })
    expect(overdueMs(deadline, { monotonicMs: 104_100, bootMs: 165_000 })).toBeLessThan(0)
  })

  it('is not later by either clock where the program is stopped while it reads them', () => {
    let stoppedMs = 0
    const reading = (shownMs: number) => () => {
      const shown = shownMs + stoppedMs
      stoppedMs += 3_000
      return shown
    }
    const now = machineTime({ monotonicMs: reading(NOW.monotonicMs), bootMs: reading(NOW.bootMs) })
    expect(deadlineAt(105_000, now)).toMatchObject({ monotonicMs: 105_000, bootMs: 162_000 })
  })

  it('keeps its generation while it is extended in time, and gets another one after a lapse', () => {
    const after = (ms: number) => ({ monotonicMs: NOW.monotonicMs + ms, bootMs: NOW.bootMs + ms })
    const first = deadlineAt(105_000, NOW)
    const again = extended(first, 110_000, after(5_900))
    expect(again.generation).toBe(first.generation)
    expect(extended(again, 120_000, after(11_000)).generation).not.toBe(again.generation)
  })

  it('half written is none', () => {
    const [old, next] = [deadlineAt(105_000, NOW), deadlineAt(106_017, NOW)].map(formatDeadline) as [string, string]
    expect(parseDeadline(next)).toEqual(deadlineAt(106_017, NOW))
    for (let cut = 0; cut <= next.length; cut++) {
      const read = parseDeadline(next.slice(0, cut) + old.slice(cut))
      const whole = [parseDeadline(old), parseDeadline(next), null]
      expect(whole).toContainEqual(read)
    }
    expect(['', 'x', '5 5', '-1 5 1 -1\n'].map(parseDeadline)).toEqual([null, null, null, null])
  })
})

describe('the file of a deadline', () => {
  let folder: TempDir
  beforeEach(async () => {
    folder = await tempDir('deadline')
  })
  afterEach(() => folder.remove())

  it('tells others what was written last, and keeps its length', () => {
    const path = join(folder.path, 'deadline')
    const [ours, theirs] = [openDeadlineFile(path), openDeadlineFile(path)]
    expect(theirs.read()).toEqual(NO_DEADLINE)
    for (const ms of [5, Number.MAX_SAFE_INTEGER, 7_000]) {
      const deadline = deadlineAt(ms, { monotonicMs: 0, bootMs: 0 })
      ours.write(deadline)
      expect(theirs.read()).toEqual(deadline)
    }
    ours.close()
    theirs.close()
  })
})

it('time goes on alike by both clocks of the machine', () => {
  const { monotonicMs, bootMs } = machineTime()
  expect(bootMs).toBeGreaterThan(0)
  expect(monotonicMs).toBeLessThanOrEqual(bootMs + 1_000)
})
