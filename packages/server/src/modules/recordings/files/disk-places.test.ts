import { describe, expect, it } from 'vitest'
import { createDiskPlaces } from './disk-places.ts'

describe('[SAFE-04] the places for sessions that are read', () => {
  const of = (owner: string, folder: string) => ({ owner, folder })

  it('are never all taken by one owner, whose others wait for its own', () => {
    let nowMs = 0
    const places = createDiskPlaces({ atOnce: 4, each: 2 }, () => nowMs)
    const held = ['a1', 'a2'].map((folder) => places.take(of('a', folder), () => {}))
    nowMs = 5_000
    expect(places.waitedMs(of('a', 'a3'))).toBe(5_000)
    expect(places.waitedMs(of('b', 'b1'))).toBeNull()
    held[1]?.noteMoving()
    expect(places.waitedMs(of('a', 'a3'))).toBe(0)
    held[0]?.giveBack()
    expect(places.waitedMs(of('a', 'a3'))).toBeNull()
  })

  it('let those of others wait where all are taken, for as long as none of them brings anything', () => {
    let nowMs = 0
    const places = createDiskPlaces({ atOnce: 4, each: 2 }, () => nowMs)
    for (const folder of ['a1', 'a2', 'b1', 'b2']) places.take(of(folder.slice(0, 1), folder), () => {})
    nowMs = 7_000
    expect(places.waitedMs(of('c', 'c1'))).toBe(7_000)
  })
})
