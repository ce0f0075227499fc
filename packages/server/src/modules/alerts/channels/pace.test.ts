import { describe, expect, it } from 'vitest'
import { createPace } from './pace.ts'

describe('the pace of messages', () => {
  const never = new AbortController().signal

  function paceAt(rules = { perSecond: 1000, longestWaitMs: 50 }) {
    let now = 1_000
    const pace = createPace(rules, () => now)
    const pass = (ms: number): void => {
      now += ms
    }
    return { pace, pass }
  }

  it('gives a chat its next turn after the gap, and others theirs at once', async () => {
    const { pace, pass } = paceAt()
    expect(await pace.turn('a', 1_000, never)).toBe(0)
    expect(await pace.turn('a', 1_000, never)).toBe(1_000)
    expect(await pace.turn('b', 1_000, never)).toBe(0)
    pass(1_000)
    expect(await pace.turn('a', 1_000, never)).toBe(0)
  })

  it('takes no turn for who does not wait for it', async () => {
    const { pace, pass } = paceAt()
    await pace.turn('a', 1_000, never)
    for (let count = 0; count < 5; count++) expect(await pace.turn('a', 1_000, never)).toBe(1_000)
    pass(1_000)
    expect(await pace.turn('a', 1_000, never)).toBe(0)
  })

  it('spreads what goes to many', async () => {
    const { pace } = paceAt({ perSecond: 10, longestWaitMs: 150 })
    const waits = []
    for (const key of ['a', 'b', 'c', 'd']) waits.push(pace.turn(key, 0, AbortSignal.timeout(1)))
    expect(await Promise.all(waits)).toEqual([0, 0, 200, 200])
  })

  it('pauses a chat for as long as was asked', async () => {
    const { pace, pass } = paceAt()
    pace.hold('a', 7_000)
    pace.hold('a', 1_000)
    expect(await pace.turn('a', 1_000, never)).toBe(7_000)
    pass(7_000)
    expect(await pace.turn('a', 1_000, never)).toBe(0)
  })

  it('forgets chats that are long free', async () => {
    const { pace, pass } = paceAt({ perSecond: 1e9, longestWaitMs: 0 })
    pace.hold('kept', 1e9)
    for (let count = 0; count < 10_000; count++) {
      await pace.turn(`${count}`, 1, never)
      pass(2)
    }
    expect(await pace.turn('kept', 1, never)).toBeGreaterThan(0)
  })
})
