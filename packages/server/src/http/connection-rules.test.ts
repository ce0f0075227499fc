import { describe, expect, it } from 'vitest'
import { chooseToGo, connectionLimits } from './connection-rules.ts'

describe('how many connections there may be', () => {
  it.each([
    [256, 200, 48],
    [1_024, 200, 364],
    [1_024, 0, 464],
    [20_000, 200, 9_852],
    [1_048_576, 200, 10_000],
    [64, 200, 16],
  ])('of %i files and %i broadcasts', (files, broadcasts, total) => {
    expect(connectionLimits(files, broadcasts)).toEqual({ total, perAddress: Math.min(256, Math.ceil(total / 2)) })
  })

  it('is what one program can bear where the system does not say', () => {
    expect(connectionLimits(null, 0).total).toBe(9_952)
  })
})

describe('which connection has to go', () => {
  const idle = (name: string) => ({ name, served: false })
  const served = (name: string) => ({ name, served: true })
  const goes = (...addresses: { name: string; served: boolean }[][]) =>
    chooseToGo(addresses.map((each) => new Set(each)))?.name ?? null

  it('is the oldest of the address that has most', () => {
    expect(goes([idle('a')], [idle('b1'), idle('b2')], [idle('c')])).toBe('b1')
  })

  it('is none that is being served', () => {
    expect(goes([served('b1'), idle('b2'), idle('b3')], [idle('a')])).toBe('b2')
    expect(goes([served('b1'), served('b2')], [idle('a')])).toBe('a')
    expect(goes([served('b1')], [served('a')])).toBeNull()
  })

  it('is the one of the first that came where all have as many', () => {
    expect(goes([idle('a')], [idle('b')])).toBe('a')
  })
})
