import type { RelayPlan } from '@siarin/media/relay-plan'
import { Secret } from '@siarin/media/secret'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  brokeOff,
  chosen,
  freshlySeen,
  isResting,
  judgeGrowth,
  judgeStatus,
  knownPlan,
  newRelay,
  type ReadySource,
  sourceBegun,
  wentDry,
} from './relay-state.ts'

const NEW = newRelay({ copies: true })
const PLAN = { picture: { kind: 'copy' } } as unknown as RelayPlan
const statusOf = (mark: string, ended = false) => ({ url: new Secret('https://cdn.example/a.m3u8'), mark, ended })
const readyOf = (mark: string, atMs = 0): ReadySource => ({ status: statusOf(mark), plan: PLAN, atMs })

describe('a source that went dry', () => {
  it('is away until it adds something, however often it is looked at', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('old', 'older'), { minLength: 1 }), (marks) => {
        const [first = 'old'] = marks
        let state = wentDry(chosen(NEW, readyOf('before')))
        for (const mark of marks) {
          const judged = judgeStatus(state, statusOf(mark))
          // The first look says what is old.
          expect(judged.away === null).toBe(mark !== first)
          state = judged.state
        }
        expect(judgeStatus(state, statusOf('new')).away).toBeNull()
      }),
    )
  })

  it('is not begun from what was seen before', () => {
    const seen = { ...NEW, ready: readyOf('1', 1_000) }
    expect(freshlySeen(seen, 1_500)).toBe(seen.ready)
    expect(freshlySeen(wentDry(seen), 1_500)).toBeNull()
  })
})

describe('what was just seen', () => {
  it('is begun without another look for ten seconds, and only once', () => {
    const seen = { ...NEW, ready: readyOf('1', 1_000) }
    expect(freshlySeen(seen, 10_999)).not.toBeNull()
    expect(freshlySeen(seen, 11_000)).toBeNull()
    expect(freshlySeen(chosen(seen, readyOf('1', 1_000)), 1_500)).toBeNull()
  })

  it('is away where it has ended, and then says nothing of what is old', () => {
    const dry = wentDry(NEW)
    expect(judgeStatus(dry, statusOf('1', true))).toEqual({ state: dry, away: 'the source has ended' })
  })
})

it('how a source is sent is known for ten minutes, of its own address', () => {
  const state = { ...NEW, plan: { of: 'a', atMs: 1_000, is: PLAN } }
  expect(knownPlan(state, 'a', 601_000)).toBe(PLAN)
  expect(knownPlan(state, 'a', 601_001)).toBeNull()
  expect(knownPlan(state, 'b', 1_000)).toBeNull()
})

describe('a source that breaks off', () => {
  const breakOff = (lengthsMs: readonly number[], hasFallback: boolean) => {
    let nowMs = 0
    let state = NEW
    for (const lengthMs of lengthsMs) {
      state = sourceBegun(state, { copies: true, nowMs })
      nowMs += lengthMs
      state = brokeOff(state, { nowMs, hasFallback })
    }
    return { state, nowMs }
  }

  it('three times at once rests for half a minute, if a video stands in', () => {
    const { state, nowMs } = breakOff([2_000, 2_000, 2_000], true)
    expect(isResting(state, nowMs + 29_999)).toBe(true)
    expect(isResting(state, nowMs + 30_000)).toBe(false)
    const alone = breakOff([2_000, 2_000, 2_000], false)
    expect(isResting(alone.state, alone.nowMs)).toBe(false)
  })

  it('rests only after three quick ends in a row, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20_000), { minLength: 1 }), (lengthsMs) => {
        const { state, nowMs } = breakOff(lengthsMs, true)
        const lastThree = lengthsMs.slice(-3)
        const areQuick = lastThree.length === 3 && lastThree.every((ms) => ms < 10_000)
        expect(state.restsUntilMs === nowMs + 30_000).toBe(areQuick)
      }),
    )
  })

  it('is probed anew', () => {
    const known = { ...NEW, plan: { of: 'a', atMs: 0, is: PLAN }, ready: readyOf('1') }
    expect(brokeOff(known, { nowMs: 1, hasFallback: false })).toMatchObject({ plan: null, ready: null })
  })
})

it('a source has grown when two looks in a row at one session say so, which is news once', () => {
  const looks = [true, false, true, true, true]
  let state = NEW
  const said = looks.map((isGrown) => {
    const judged = judgeGrowth(state, { isGrown, of: 0 })
    state = judged.state
    return [judged.isConfirmed, judged.isNews]
  })
  expect(said).toEqual([
    [false, false],
    [false, false],
    [false, false],
    [true, true],
    [true, false],
  ])
  expect(judgeGrowth({ ...state, sessions: 1 }, { isGrown: true, of: 0 }).isConfirmed).toBe(false)
})
