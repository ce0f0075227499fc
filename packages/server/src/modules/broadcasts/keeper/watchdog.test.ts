import type { Progress } from '@siarin/media/parse/progress'
import { describe, expect, it } from 'vitest'
import { createWatchdog, type Verdict } from './watchdog.ts'

const at = (outTimeMs: number): Progress => ({
  frame: 1,
  fps: 25,
  bitrateKbps: 800,
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
  const dog = createWatchdog(() => nowMs)
  /** Nothing moves, and that is looked at each second. */
  const stand = (ms: number, progress: Progress): void => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      dog.judge(progress)
      pass(Math.min(1_000, ms - passed))
    }
  }
  return { dog, pass, stand }
}

describe('the watchdog', () => {
  it('calls it stalled when the output stands still for more than 15 s', () => {
    const { dog, pass, stand } = watched()
    expect(dog.judge(at(1_000))).toBe('moving')
    stand(15_000, at(1_000))
    expect(dog.judge(at(1_000))).toBe('quiet')
    pass(1)
    expect(dog.judge(at(1_000))).toBe('stalled')
  })

  it('[SAFE-01] counts no time in which it could not look, up to a minute of it', () => {
    const { dog, pass } = watched()
    dog.judge(at(1_000))
    for (let look = 0; look < 3; look++) {
      pass(20_000)
      expect(dog.judge(at(1_000))).toBe('quiet')
    }
    pass(20_000)
    expect(dog.judge(at(1_000))).toBe('stalled')
    expect(dog.judge(at(9_000))).toBe('moving')
    pass(20_000)
    expect(dog.judge(at(9_000))).toBe('quiet')
  })

  it('gives a new session as long again, and a new count', () => {
    const { dog, pass } = watched()
    expect(dog.judge(at(9_000))).toBe('moving')
    pass(16_000)
    dog.begin()
    expect(dog.judge(at(0))).toBe('quiet')
    pass(15_000)
    expect(dog.judge(at(1_000))).toBe('moving')
  })

  it('takes less than two and a half seconds for no advance', () => {
    const { dog, stand } = watched()
    stand(15_001, at(10_000))
    expect(dog.judge(at(12_499))).toBe('stalled')
    expect(dog.judge(at(12_500))).toBe('moving')
  })

  it('is less patient with what only this machine has taken', () => {
    const unsentBytes = 250_000
    const verdictAfter = (ms: number) => {
      const { dog, stand } = watched()
      stand(ms, at(10_000))
      return dog.judge(at(12_000), unsentBytes)
    }
    expect(verdictAfter(12_000)).toBe('moving')
    expect(verdictAfter(12_001)).toBe('stalled')
  })

  it('calls it stalled when the output advances only into the memory of this machine', () => {
    const { dog, pass } = watched()
    // 800 kbit are 100,000 bytes a second, and the figures tremble.
    const unsentBytes = (second: number) => Math.max(0, second - 10) * 100_000 - (second % 3) * 30_000
    const verdicts = Array.from({ length: 30 }, (_, second) => {
      pass(1_000)
      return dog.judge(at(second * 1_000), Math.max(0, unsentBytes(second)))
    })
    expect(verdicts.slice(1, 20)).toEqual(Array(19).fill('moving'))
    expect(verdicts.slice(27)).toEqual(Array(3).fill('stalled'))
  })

  it('lets one run whose platform is some seconds behind but takes what comes', () => {
    const { dog, pass } = watched()
    for (let second = 1; second <= 600; second++) {
      pass(1_000)
      expect(dog.judge(at(second * 1_000), Math.min(second, 8) * 90_000)).toBe('moving')
    }
  })

  it('counts the first output at once, with or without a bit rate', () => {
    const { dog } = watched()
    expect(dog.judge(null)).toBe('quiet')
    expect(dog.judge(at(0))).toBe('quiet')
    expect(dog.judge({ ...at(40), bitrateKbps: null }, 5_000)).toBe('moving')
  })

  it('lets one that keeps up run, and one that is a little slow', () => {
    expect(secondsUntil('lagging', 1)).toBeNull()
    expect(secondsUntil('lagging', 0.9)).toBeNull()
  })

  it('draws the line at four fifths', () => {
    expect(secondsUntil('lagging', 0.81)).toBeNull()
    expect(secondsUntil('lagging', 0.79)).toBe(61)
  })

  it('calls it lagging when a minute brings less than 48 s', () => {
    expect(secondsUntil('lagging', 0.5)).toBe(61)
  })

  it('calls it lagging when ffmpeg keeps up, but half of what it sends piles up in this machine', () => {
    const { dog, pass } = watched()
    const verdicts = Array.from({ length: 62 }, (_, second) => {
      pass(1_000)
      return dog.judge(at(second * 1_000), second * 50_000)
    })
    expect(verdicts.indexOf('lagging')).toBe(61)
  })

  it('gives a line that stays slow longer and longer, and starts anew once it keeps up', () => {
    const watch = watched()
    expect([1, 2, 3].map(() => secondsUntil('lagging', 0.5, watch))).toEqual([61, 121, 241])
    expect(secondsUntil('lagging', 1, watch)).toBeNull()
    expect(secondsUntil('lagging', 0.5, watch)).toBe(61)
  })

  it('never looks longer than sixteen minutes at a slow line', () => {
    const watch = watched()
    const minutes = Array.from({ length: 7 }, () => Math.floor((secondsUntil('lagging', 0.5, watch) ?? 0) / 60))
    expect(minutes).toEqual([1, 2, 4, 8, 16, 16, 16])
  })

  it('blames no line while it is itself short of time to look', () => {
    const { dog, pass } = watched()
    for (let look = 1; look <= 200; look++) {
      pass(6_000)
      expect(dog.judge(at(look * 3_000))).not.toBe('lagging')
    }
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
