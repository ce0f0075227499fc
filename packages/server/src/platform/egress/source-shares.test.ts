import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSourceShares } from './source-shares.ts'

const BOUNDS = {
  ...{ each: 3, crowdedFrom: 10, eachInCrowd: 1, unnamed: 5, bytesPerSecond: 1_000, overSeconds: 10 },
  kept: { each: 2, inAll: 3 },
}
const socket = () => Object.assign(new EventEmitter(), { destroyed: false }) as unknown as Socket

afterEach(() => void vi.useRealTimers())

describe('[LIVE-14] the share of a stream in the proxy', () => {
  it('is a few connections, whatever others have', () => {
    const shares = createSourceShares(BOUNDS)
    const [first, ...more] = Array.from({ length: 3 }, socket)
    for (const one of [first, ...more]) expect(shares.join(one as Socket, 'a')).not.toBeNull()
    expect(shares.join(socket(), 'a')).toBeNull()
    expect(shares.join(socket(), 'b')).not.toBeNull()
    // The next request of a connection is no connection more.
    expect(shares.join(first as Socket, 'a')).not.toBeNull()
    first?.emit('close')
    expect(shares.join(socket(), 'a')).not.toBeNull()
    expect(shares.join(socket(), 'a')).toBeNull()
  })

  it('is smaller where many are open in all', () => {
    const shares = createSourceShares(BOUNDS)
    for (const name of ['a', 'b', 'c', 'd']) for (let count = 0; count < 3; count++) shares.join(socket(), name)
    expect(shares.join(socket(), 'e')).not.toBeNull()
    expect(shares.join(socket(), 'e')).toBeNull()
  })

  it('of those that say no name is one of connections, and of bytes for each of them', () => {
    const shares = createSourceShares(BOUNDS)
    const joined = Array.from({ length: 6 }, () => shares.join(socket()))
    expect(joined.map((share) => share !== null)).toEqual([true, true, true, true, true, false])
    expect(joined.slice(0, 2).map((share) => share?.take(10_000))).toEqual([0, 0])
  })

  it('is not had by a connection that is closed already', () => {
    const shares = createSourceShares(BOUNDS)
    expect(shares.join(Object.assign(socket(), { destroyed: true }), 'a')).toBeNull()
  })

  it('[SAFE-07] is so many bytes in a second on average, over all of its connections', () => {
    let nowMs = 0
    const shares = createSourceShares(BOUNDS, () => nowMs)
    const [one, other, another] = ['a', 'a', 'b'].map((name) => shares.join(socket(), name))
    expect([one?.take(6_000), other?.take(4_000)]).toEqual([0, 0])
    expect([one?.take(500), other?.take(1_000), another?.take(10_000)]).toEqual([500, 1_500, 0])
    nowMs = 1_500
    expect(one?.take(1_000)).toBe(1_000)
    // It saves up ten seconds of it at most.
    nowMs = 100_000
    expect([one?.take(10_000), one?.take(1)]).toEqual([0, 1])
  })

  it('is not had anew by connecting again', () => {
    vi.useFakeTimers()
    const shares = createSourceShares(BOUNDS, Date.now)
    const first = socket()
    shares.join(first, 'a')?.take(10_000)
    first.emit('close')
    const second = socket()
    expect(shares.join(second, 'a')?.take(1_000)).toBe(1_000)
    vi.advanceTimersByTime(20_000)
    expect(shares.join(socket(), 'a')?.take(10_000)).toBe(0)
  })
})
