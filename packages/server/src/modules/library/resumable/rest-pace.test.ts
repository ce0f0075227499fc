import { describe, expect, it } from 'vitest'
import { createRestPace } from './rest-pace.ts'

describe('bytes that are moved again', () => {
  const begin = () => {
    let atMs = 1_000
    const take = createRestPace({ bytesPerSecond: 100, atOnceBytes: 1_000 }, () => atMs)
    const pass = (ms: number): void => {
      atMs += ms
    }
    return { take, pass }
  }

  it('do not wait until there are many, and then for as long as they take at the pace', () => {
    const { take } = begin()
    expect([take('budi', 600), take('budi', 400), take('budi', 50), take('budi', 50)]).toEqual([0, 0, 500, 1_000])
  })

  it('have time for what they were before, and no more than that', () => {
    const { take, pass } = begin()
    expect(take('budi', 1_100)).toBe(1_000)
    pass(1_000)
    expect(take('budi', 0)).toBe(0)
    pass(60_000)
    expect(take('budi', 1_001)).toBe(10)
  })

  it('wait less where bytes have come, and those are not kept for later', () => {
    const { take } = begin()
    take('budi', 1_500)
    expect(take('budi', -300)).toBe(2_000)
    take('budi', -10_000)
    expect(take('budi', 1_100)).toBe(1_000)
  })

  it('of one owner keep nobody else waiting', () => {
    const { take } = begin()
    take('budi', 10_000)
    expect(take('sari', 1_000)).toBe(0)
  })
})
