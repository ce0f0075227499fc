import { describe, expect, it } from 'vitest'
import { areEven, isSameRate, limitedFps, outputRate, rateOf } from './frame-rate.ts'
import type { KeyframeFacts } from './parse/keyframes.ts'
import type { VideoFacts } from './parse/probe.ts'

const steady = (rate: string, maxFps = 60): string =>
  outputRate({ rFrameRate: rate, avgFrameRate: rate } as VideoFacts, maxFps)
const varying = (rFrameRate: string | null, avgFrameRate: string | null): string =>
  outputRate({ rFrameRate, avgFrameRate } as VideoFacts, 60)

describe('a rate as ffprobe writes it', () => {
  it('is a fraction of two numbers above zero', () => {
    expect(rateOf('30000/1001')).toBeCloseTo(29.97, 2)
    for (const odd of [null, '', '30', '0/1', '30/0', '-30/1', '30/-1', 'a/b']) expect(rateOf(odd), `${odd}`).toBeNull()
  })

  it('is the same in another spelling, and 29.97 is not 30', () => {
    expect(isSameRate(29.97, 30_000 / 1001)).toBe(true)
    expect(isSameRate(30_000 / 1001, 30)).toBe(false)
    expect(isSameRate(30, 30_000 / 1001)).toBe(false)
  })
})

describe('the rate of a video that has one', () => {
  it.each([
    ['15/1', '15/1'],
    ['60/1', '60/1'],
    ['47/1', '47/1'],
    ['14/1', '24/1'],
    ['61/1', '60/1'],
    ['23976/1000', '24000/1001'],
  ])('of %s is %s', (rate, output) => {
    expect(steady(rate)).toBe(output)
  })

  it.each([
    ['40/1', 25, '20/1'],
    ['38/1', 30, '30/1'],
    ['60/1', 29, '25/1'],
    ['60000/1001', 30, '30000/1001'],
    ['25/1', 24, '24/1'],
    ['25/1', 10.9, '10/1'],
    ['25/1', 0.5, '1/1'],
  ])('of %s under a limit of %d is %s', (rate, maxFps, output) => {
    expect(steady(rate, maxFps)).toBe(output)
    expect(limitedFps(60, 30)).toBe(30)
  })
})

describe('the rate of a video that has none', () => {
  it('is the common one nearest to its average, or else to what its header says', () => {
    expect(varying('90000/1', '26/1')).toBe('25/1')
    expect(varying('90000/1', '28/1')).toBe('30/1')
    expect(varying('48/1', null)).toBe('50/1')
    expect(varying(null, '49/1')).toBe('50/1')
    expect(varying(null, '24000/1001')).toBe('24/1')
  })
})

it('packets are even from three quarters of a frame on, and never where they are not known', () => {
  const facts = (smallestStepSeconds: number) => ({ smallestStepSeconds }) as KeyframeFacts
  expect(areEven(facts(0.03), 25)).toBe(true)
  expect(areEven(facts(0.0299), 25)).toBe(false)
  expect(areEven(null, 25)).toBe(false)
})
