import { describe, expect, it } from 'vitest'
import { createEncoders, type Wish } from './encoders.ts'

/** Its name begins with its owner: `trial` is on trial. */
const wish = (streamId: string, more: Partial<Wish> = {}): Wish => {
  const owner = streamId.split('-')[0] ?? ''
  return { streamId, owner, isOnTrial: owner.startsWith('trial'), ...more }
}

function stage(max: number) {
  let nowMs = 0
  const encoders = createEncoders(max, () => nowMs)
  return {
    encoders,
    pass: (ms: number) => {
      nowMs += ms
    },
    /** Which of them get one, each asked for once and in this order. */
    ask: (...streams: string[]) => streams.filter((streamId) => encoders.acquire(wish(streamId))),
    toGo: (...streams: string[]) => streams.filter(encoders.isToGo),
  }
}

describe('the encoders of a machine', () => {
  it('are kept for a broadcast whose source is away, but not for good', () => {
    const { encoders, ask, pass } = stage(1)
    expect(ask('air-1')).toEqual(['air-1'])
    encoders.keep('air-1')
    expect(ask('other-1', 'air-1')).toEqual(['air-1'])
    pass(3_600_000)
    // At work it is nobody else's.
    expect(ask('other-1')).toEqual([])
    encoders.keep('air-1')
    pass(16 * 60_000)
    expect(ask('other-1')).toEqual(['other-1'])
    expect(encoders.hasRoomFor(wish('air-1'))).toBe(false)
    // One that has none keeps none.
    encoders.keep('air-1')
    encoders.release('other-1')
    expect(ask('third-1')).toEqual(['third-1'])
  })

  it('all go to one owner for as long as nobody else wants one', () => {
    const { ask, toGo } = stage(3)
    expect(ask('a-1', 'a-2', 'a-3', 'a-4')).toEqual(['a-1', 'a-2', 'a-3'])
    expect(toGo('a-1', 'a-2', 'a-3')).toEqual([])
  })

  it('go from an owner of several to each who waits and has none, once the session there has ended', () => {
    const { ask, toGo } = stage(3)
    ask('a-1', 'a-2', 'a-3')
    expect(ask('b-1')).toEqual([])
    expect(toGo('a-1', 'a-2', 'a-3')).toEqual(['a-3'])
    expect(ask('c-1', 'd-1')).toEqual([])
    // The last one of its owner stays, however many wait.
    expect(toGo('a-1', 'a-2', 'a-3')).toEqual(['a-2', 'a-3'])
    expect(ask('b-1', 'a-1')).toEqual(['a-1'])
    // Its new session gets none, and waits behind those who have none.
    expect(ask('a-3', 'd-1', 'c-1', 'b-1')).toEqual(['b-1'])
    expect(ask('a-2', 'a-3', 'd-1', 'c-1')).toEqual(['c-1'])
    expect(toGo('a-1', 'b-1', 'c-1')).toEqual([])
  })

  it('stay where they are if who waited for them is gone', () => {
    const { encoders, ask, toGo, pass } = stage(2)
    ask('a-1', 'a-2', 'b-1')
    encoders.release('b-1')
    expect(toGo('a-1', 'a-2')).toEqual([])
    ask('b-2')
    expect(toGo('a-1', 'a-2')).toEqual(['a-2'])
    pass(120_000)
    expect(toGo('a-1', 'a-2')).toEqual([])
    expect(ask('a-2')).toEqual(['a-2'])
  })

  it('go first where it does least harm: without a logo, then with the source away', () => {
    const { encoders, ask, toGo } = stage(3)
    ask('a-1')
    encoders.acquire(wish('a-logo', { canDoWithout: true }))
    ask('a-2')
    encoders.keep('a-1')
    ask('b-1')
    expect(toGo('a-1', 'a-2', 'a-logo')).toEqual(['a-logo'])
    expect(encoders.acquire(wish('a-logo', { canDoWithout: true }))).toBe(false)
    expect(ask('b-1')).toEqual(['b-1'])
    // Nobody is at work with the one that is kept: it goes over at once.
    expect(ask('c-1')).toEqual(['c-1'])
    expect(encoders.hasRoomFor(wish('a-1'))).toBe(false)
    expect(toGo('a-2', 'b-1', 'c-1')).toEqual([])
  })

  it('that are free go to who has fewer, then to who came first, and last to what is on air without one', () => {
    const { encoders, ask } = stage(3)
    ask('a-1', 'b-1', 'c-1')
    ask('a-2', 'd-1', 'e-1')
    encoders.release('b-1')
    expect(encoders.acquire(wish('f-logo', { canDoWithout: true }))).toBe(false)
    expect(ask('a-2', 'e-1', 'd-1')).toEqual(['d-1'])
    encoders.release('c-1')
    expect(ask('a-2', 'e-1')).toEqual(['e-1'])
    encoders.release('e-1')
    expect(ask('a-2')).toEqual(['a-2'])
    encoders.release('d-1')
    expect(encoders.acquire(wish('f-logo', { canDoWithout: true }))).toBe(true)
  })

  it('go to those who pay before those on trial, who take none of theirs', () => {
    const { encoders, ask, toGo } = stage(4)
    ask('a-1', 'a-2', 'trial1-1', 'trial1-2')
    expect(ask('trial2-1')).toEqual([])
    expect(toGo('a-1', 'a-2', 'trial1-1', 'trial1-2')).toEqual(['trial1-2'])
    ask('b-1')
    // Who came later, and pays, is next; then there is nothing on trial to give.
    expect(toGo('a-1', 'a-2', 'trial1-1', 'trial1-2')).toEqual(['trial1-2'])
    encoders.release('trial1-2')
    expect(ask('trial2-1', 'a-3', 'b-1')).toEqual(['b-1'])
    expect(toGo('a-1', 'a-2', 'trial1-1', 'b-1')).toEqual([])
    encoders.release('a-2')
    expect(ask('trial2-1', 'a-3')).toEqual(['a-3'])
  })

  it('that an earlier run of the program left at work are theirs before all who wait', () => {
    const { encoders, ask, toGo } = stage(1)
    encoders.takeOver(wish('a-1'))
    encoders.takeOver(wish('b-1'))
    expect(ask('c-1', 'b-1', 'a-1')).toEqual(['a-1'])
    expect(toGo('a-1')).toEqual([])
  })
})
