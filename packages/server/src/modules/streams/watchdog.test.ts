import type { Progress } from '@siarin/media/parse/progress'
import { describe, expect, it } from 'vitest'
import { createWatchdog, type Verdict } from './watchdog.ts'

const at = (outTimeMs: number): Progress => ({
  frame: 1,
  fps: 25,
  bitrateKbps: 1,
  totalBytes: 1,
  outTimeMs,
  speed: 1,
  ended: false,
})

/** A broadcast whose output advances at this rate, looked at each second; answers when it was first judged so. */
function secondsUntil(verdict: Verdict, rate: number, watch = watched()): number | null {
  watch.dog.begin()
  for (let second = 1; second <= 3_600; second++) {
    watch.pass(1_000)
    if (watch.dog.judge(at(second * 1_000 * rate)) === verdict) return second
  }
  return null
}

function watched() {
  let nowMs = 0
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { dog: createWatchdog(() => nowMs), pass }
}

describe('the watchdog', () => {
  it('calls it stalled when the output stands still for more than 15 s', () => {
    const { dog, pass } = watched()
    expect(dog.judge(at(1_000))).toBe('moving')
    pass(15_000)
    expect(dog.judge(at(1_000))).toBe('quiet')
    pass(1)
    expect(dog.judge(at(1_000))).toBe('stalled')
  })

  it('sees one whose output advances only into the memory of this machine', () => {
    const { dog, pass } = watched()
    const verdicts = Array.from({ length: 40 }, (_, index) => {
      pass(1_000)
      const second = index + 1
      // 800 kbit are 100,000 bytes a second; from the tenth on nobody takes them, and the figures tremble a little.
      const unsent = Math.max(0, second - 10) * 100_000 + (second % 2) * 20_000
      return dog.judge({ ...at(second * 1_000), bitrateKbps: 800 }, unsent)
    })
    expect(verdicts.indexOf('stalled') + 1).toBeGreaterThan(25)
    expect(verdicts.indexOf('stalled') + 1).toBeLessThan(30)
  })

  it('lets one be that is a few seconds behind, and counts the first output at once', () => {
    const { dog, pass } = watched()
    expect(dog.judge(null)).toBe('quiet')
    expect(dog.judge(at(0))).toBe('quiet')
    expect(dog.judge({ ...at(40), bitrateKbps: null }, 5_000)).toBe('moving')
    for (let second = 1; second <= 120; second++) {
      pass(1_000)
      expect(dog.judge({ ...at(second * 1_000), bitrateKbps: 800 }, 300_000)).not.toMatch(/stalled|lagging/)
    }
  })

  it('lets one that keeps up run, and one that is a little slow', () => {
    expect(secondsUntil('lagging', 1)).toBeNull()
    expect(secondsUntil('lagging', 0.9)).toBeNull()
  })

  it('calls it lagging when a minute brings less than 48 s', () => {
    expect(secondsUntil('lagging', 0.5)).toBe(61)
  })

  it('gives a line that stays slow longer and longer, and starts anew once it keeps up', () => {
    const watch = watched()
    expect([1, 2, 3].map(() => secondsUntil('lagging', 0.5, watch))).toEqual([61, 121, 241])
    expect(secondsUntil('lagging', 1, watch)).toBeNull()
    expect(secondsUntil('lagging', 0.5, watch)).toBe(61)
  })

  it('forgives a hiccup that is caught up', () => {
    const { dog, pass } = watched()
    for (let second = 1; second <= 600; second++) {
      pass(1_000)
      const hiccup = second % 60 > 40 && second % 60 < 50
      expect(dog.judge(at(hiccup ? Math.floor(second / 60) * 60_000 + 40_000 : second * 1_000))).not.toBe('lagging')
    }
  })
})
