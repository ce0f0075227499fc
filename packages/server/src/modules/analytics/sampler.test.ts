import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sureOf } from '../../../test/support/sure-clock.ts'
import type { StreamFigure } from './sample-rules.ts'
import { createSampler } from './sampler.ts'
import type { NumberedSample } from './samples.repo.ts'

const figure = (streamId: string): StreamFigure => ({
  ...{ streamId, phase: 'live', bitrateKbps: 1000, fps: 30, speed: 1, unsentBytes: 0 },
})

describe('[STAT-01] the sampler', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  function stage(write: (rows: readonly NumberedSample[]) => Promise<void>, figures = [figure('a'), figure('b')]) {
    const takeFigures = vi.fn(() => figures)
    const numbersOf = vi.fn(async (ids: readonly string[]) => new Map(ids.map((id, index) => [id, index + 1])))
    const rollUp = { rollUp: vi.fn(async (_: () => boolean) => false), clear: vi.fn(async () => {}) }
    const disk = { hasRoom: true }
    const clock = { now: () => Date.now() }
    const sampler = createSampler({
      ...{ clock, trust: sureOf(clock), log: pino({ level: 'silent' }), takeFigures, rollUp },
      samples: { write },
      lives: { numbersOf },
      hasDiskRoom: () => disk.hasRoom,
      timings: { rollUpMs: 20_000, clearMs: 600_000 },
    })
    sampler.start()
    return { sampler, disk, takeFigures, numbersOf, rollUp }
  }

  it('writes all streams together in each five seconds, and asks for their numbers once', async () => {
    const write = vi.fn(async () => {})
    const { sampler, numbersOf } = stage(write)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(write).toHaveBeenCalledTimes(12)
    const slots = write.mock.calls.map((call) => (call as unknown as [NumberedSample[]])[0].map(({ at }) => at))
    for (const [index, at] of slots.entries()) expect(at).toEqual(Array(2).fill((slots[0]?.[0] ?? 0) + index))
    expect(numbersOf).toHaveBeenCalledTimes(1)
    await sampler.stop()
  })

  it('drops what a slow database cannot take, keeps one write under way, and goes on afterwards', async () => {
    let finish = () => {}
    const write = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve
        }),
    )
    const { sampler, takeFigures } = stage(write)
    await vi.advanceTimersByTimeAsync(300_000)
    expect(write).toHaveBeenCalledTimes(1)
    expect(takeFigures.mock.calls.length).toBeGreaterThan(50)
    finish()
    await vi.advanceTimersByTimeAsync(6_000)
    expect(write).toHaveBeenCalledTimes(2)
    finish()
    await sampler.stop()
  })

  it('writes and rolls up nothing while the disk is full: what is left there is for broadcasts', async () => {
    const write = vi.fn(async () => {})
    const { sampler, disk, rollUp } = stage(write)
    disk.hasRoom = false
    await vi.advanceTimersByTimeAsync(60_000)
    expect([write, rollUp.rollUp, rollUp.clear].map((done) => done.mock.calls.length)).toEqual([0, 0, 0])
    disk.hasRoom = true
    await vi.advanceTimersByTimeAsync(60_000)
    expect(write).toHaveBeenCalledTimes(12)
    expect(rollUp.rollUp).toHaveBeenCalled()
    await sampler.stop()
  })

  it('goes on after a write that failed', async () => {
    const write = vi.fn(async () => {
      throw new Error('locked')
    })
    const { sampler } = stage(write)
    await vi.advanceTimersByTimeAsync(31_000)
    expect(write.mock.calls.length).toBeGreaterThanOrEqual(6)
    await sampler.stop()
  })

  it('tells a round that runs when it is to end', async () => {
    const { sampler, rollUp } = stage(vi.fn(async () => {}))
    let isEnded = false
    rollUp.rollUp.mockImplementation(async (isOver) => {
      while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 10))
      isEnded = true
      return true
    })
    await vi.advanceTimersByTimeAsync(21_000)
    const stopped = sampler.stop()
    await vi.advanceTimersByTimeAsync(20)
    await stopped
    expect([isEnded, rollUp.clear.mock.calls.length]).toEqual([true, 0])
  })

  it('asks the database for nothing while nothing is on air', async () => {
    const write = vi.fn(async () => {})
    const { sampler, rollUp, numbersOf } = stage(write, [])
    await vi.advanceTimersByTimeAsync(600_000)
    expect([write, numbersOf].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
    // Once, for what an earlier run may have left.
    expect(rollUp.rollUp).toHaveBeenCalledTimes(1)
    await sampler.stop()
  })
})
