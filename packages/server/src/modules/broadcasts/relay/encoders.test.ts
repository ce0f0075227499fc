import { describe, expect, it } from 'vitest'
import { createEncoders } from './encoders.ts'

describe('the encoders of a machine', () => {
  it('are kept for a broadcast whose stand-in plays, but not for good', () => {
    let now = 0
    const encoders = createEncoders(1, () => now)
    expect(encoders.acquire('on air')).toBe(true)
    encoders.keep('on air')
    expect(encoders.acquire('another')).toBe(false)
    expect(encoders.acquire('on air')).toBe(true)
    now = 3_600_000
    // At work it is nobody else's.
    expect(encoders.acquire('another')).toBe(false)
    encoders.keep('on air')
    now += 16 * 60_000
    expect(encoders.acquire('another')).toBe(true)
    expect(encoders.hasRoomFor('on air')).toBe(false)
    // One that has none keeps none.
    encoders.keep('on air')
    encoders.release('another')
    expect(encoders.acquire('third')).toBe(true)
  })
})
