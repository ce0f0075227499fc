import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parameterSetScan } from './parameter-sets.ts'

const count = (...chunks: number[][]): number => {
  const scan = parameterSetScan()
  for (const chunk of chunks) scan.bytes(Uint8Array.from(chunk))
  return scan.count()
}
const START = [0, 0, 0, 1]
const SMALL = [0x67, 66, 192, 30, 0, 0, 3, 0, 4]
const LARGE = [0x67, 66, 192, 51, 218, 0, 240, 1]

describe('the parameter sets of a picture', () => {
  it('are one, however often it is repeated and however long its start codes are', () => {
    expect(count([])).toBe(0)
    expect(count([...START, ...SMALL])).toBe(1)
    expect(count([...START, ...SMALL, 0, 0, 1, ...SMALL, ...START, ...SMALL])).toBe(1)
  })

  it('are two when another size comes later', () => {
    expect(count([...START, ...SMALL, ...START, ...LARGE, ...START, ...SMALL])).toBe(2)
  })

  it('are two when there are more, and stay as many when asked again', () => {
    const scan = parameterSetScan()
    scan.bytes(Uint8Array.from([...START, 1, 2, ...START, 1, 3, ...START, 1, 4]))
    expect([scan.count(), scan.count()]).toEqual([2, 2])
    const single = parameterSetScan()
    single.bytes(Uint8Array.from([...START, ...SMALL]))
    expect([single.count(), single.count()]).toEqual([1, 1])
  })

  it('are told apart by every byte, zeros too', () => {
    expect(count([...START, 0x67, 66, ...START, 0x67, 67])).toBe(2)
    expect(count([...START, 0x67, 0, 66, ...START, 0x67, 66])).toBe(2)
  })

  it('are not cut where a one stands without the two zeros of a start code', () => {
    expect(count([...START, 0x67, 1, 66])).toBe(1)
    expect(count([...START, 0x67, 0, 1, 66])).toBe(1)
  })

  it.each([
    ['bytes', 0x67],
    ['zeros', 0],
  ])('are many when one goes on for ever with %s, and no more of it is kept than a real one has', (_what, byte) => {
    const scan = parameterSetScan()
    scan.bytes(Uint8Array.from(START))
    const chunk = new Uint8Array(1_000_000).fill(byte)
    const before = process.memoryUsage().heapUsed
    for (let megabytes = 0; megabytes < 40; megabytes++) scan.bytes(chunk)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000)
    scan.bytes(Uint8Array.from([2, 3]))
    expect(scan.isDecided()).toBe(true)
    expect(scan.count()).toBe(2)
  })

  it('are decided as soon as a second one has ended', () => {
    const scan = parameterSetScan()
    scan.bytes(Uint8Array.from([...START, ...SMALL, ...START, ...LARGE]))
    expect(scan.isDecided()).toBe(false)
    scan.bytes(Uint8Array.from(START))
    expect(scan.isDecided()).toBe(true)
  })

  it('are the same wherever the bytes are cut', () => {
    const all = [...START, ...SMALL, ...START, ...SMALL, ...START, ...LARGE]
    fc.assert(
      fc.property(fc.integer({ min: 0, max: all.length }), (at) => {
        expect(count(all.slice(0, at), all.slice(at))).toBe(2)
      }),
    )
  })
})
