import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupBy, healthOf, LIVE_STATE, rollUpMinutes, rollUpSamples, type Sample, sampleOf } from './sample-rules.ts'

const figure = { streamId: 's', phase: 'live', bitrateKbps: 2500.4, fps: 29.97, speed: 1, unsentBytes: 12_345 } as const
const LIVE: Sample = { at: 0, state: LIVE_STATE, kbps: 2500, fps: 300, speed: 1000, unsentKb: 12 }

const someSample = fc.record({
  at: fc.integer({ min: 0, max: 719 }),
  state: fc.integer({ min: 0, max: 5 }),
  kbps: fc.option(fc.integer({ min: 0, max: 50_000 })),
  fps: fc.option(fc.integer({ min: 0, max: 1200 })),
  speed: fc.option(fc.integer({ min: 0, max: 2000 })),
  unsentKb: fc.integer({ min: 0, max: 10_000 }),
})

describe('[STAT-01] a sample', () => {
  it('is kept as small whole numbers', () => {
    expect(sampleOf(figure, 7)).toEqual({ at: 7, state: LIVE_STATE, kbps: 2500, fps: 300, speed: 1000, unsentKb: 12 })
    expect(sampleOf({ ...figure, bitrateKbps: null, fps: null, speed: null, phase: 'waiting' }, 7)).toMatchObject({
      ...{ kbps: null, fps: null, speed: null },
      state: 3,
    })
  })
  it('fits its columns whatever a stream says of itself', () => {
    const wild = fc.double({ min: -1e15, max: 1e15, noNaN: true })
    fc.assert(
      fc.property(wild, wild, wild, wild, (bitrateKbps, fps, speed, unsentBytes) => {
        const sample = sampleOf({ ...figure, bitrateKbps, fps, speed, unsentBytes }, 1)
        for (const value of [sample.kbps, sample.unsentKb]) expect(value).toBeLessThanOrEqual(2_147_483_647)
        for (const value of [sample.fps, sample.speed]) expect(value).toBeLessThanOrEqual(32_767)
        for (const value of Object.values(sample)) expect(Number.isInteger(value) && (value ?? -1) >= 0).toBe(true)
      }),
    )
  })
  it.each([
    ['off', null],
    ['off', { ...LIVE, state: 3 }],
    ['good', LIVE],
    ['good', { ...LIVE, speed: null }],
    ['weak', { ...LIVE, speed: 950 }],
    ['weak', { ...LIVE, unsentKb: 1000 }],
    ['bad', { ...LIVE, speed: 800 }],
    ['bad', { ...LIVE, kbps: 0 }],
    ['bad', { ...LIVE, unsentKb: 2000 }],
  ])('says how well it goes: %s for %j', (health, sample) => expect(healthOf(sample)).toBe(health))
})

describe('[STAT-01] samples of a longer time', () => {
  it('are counted, averaged where they have figures, and keep their extremes', () => {
    const samples = [LIVE, { ...LIVE, kbps: 1500, unsentKb: 90 }, { ...LIVE, state: 3, kbps: null, fps: null }]
    expect(rollUpSamples(5, samples)).toEqual({
      ...{ at: 5, samples: 3, live: 2, measured: 2, kbps: 2000, kbpsMin: 1500, kbpsMax: 2500 },
      ...{ fps: 300, speed: 1000, unsentKb: 90 },
    })
    expect(rollUpSamples(5, [])).toMatchObject({ samples: 0, kbps: null, kbpsMin: null, unsentKb: 0 })
  })
  it('an hour is the same whether made of its minutes or of its samples, but for what was rounded', () => {
    fc.assert(
      fc.property(fc.uniqueArray(someSample, { selector: ({ at }) => at, maxLength: 200 }), (samples) => {
        const minutes = [...groupBy(samples, 12)].map(([at, group]) => rollUpSamples(at, group))
        const hour = rollUpMinutes(0, minutes)
        const direct = rollUpSamples(0, samples)
        for (const key of ['samples', 'live', 'measured', 'kbpsMin', 'kbpsMax', 'unsentKb'] as const) {
          expect(hour[key]).toBe(direct[key])
        }
        if (direct.kbps === null) expect(hour.kbps).toBeNull()
        else expect(Math.abs((hour.kbps ?? 0) - direct.kbps)).toBeLessThanOrEqual(1)
      }),
    )
  })
})
