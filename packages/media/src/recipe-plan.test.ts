import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { VideoFacts } from './parse/probe.ts'
import { type EncodePicture, recipePlan } from './prepare-plan.ts'
import { probe, video } from './sample-probe.ts'

describe('a plan by a recipe', () => {
  const recipe = { width: 1280, height: 720, fps: '30/1', kbps: 2800 }
  const by = (change: Partial<VideoFacts>) =>
    recipePlan({ ...probe, video: { ...video, ...change } }, { kind: 'ready' }, recipe, 10)
  const innerOf = (change: Partial<VideoFacts>): string => {
    const { picture } = by(change)
    return picture.kind === 'encode' ? `${picture.inner.width}x${picture.inner.height}` : 'copied'
  }

  it('makes the same of every video: size, rate and bitrate', () => {
    for (const change of [{}, { width: 640, height: 480 }, { rFrameRate: '25/1', avgFrameRate: '25/1' }]) {
      expect(by(change).picture).toMatchObject({ kind: 'encode', ...recipe, frames: 300 })
      expect(by(change)).toMatchObject({ durationSeconds: 10, audioSamples: 479_232 })
    }
  })

  it.each([
    ['fills it where it has its shape, smaller or larger', { width: 640, height: 360 }, '1280x720'],
    ['stands between bars', { width: 640, height: 480 }, '960x720'],
    ['lies between bars', { width: 1920, height: 800 }, '1280x534'],
    ['is seen upright', { width: 1920, height: 1080, rotation: 90 }, '406x720'],
    ['has square pixels', { width: 720, height: 576, sampleAspect: '16:15' }, '960x720'],
    ['fills it where only rounding is between', { width: 854, height: 480 }, '1280x720'],
  ])('a picture %s', (_, change, inner) => expect(innerOf(change)).toBe(inner))

  it('keeps to its bitrate over a short loop too', () => {
    expect(by({}).picture).toMatchObject({ firstFill: 10 / 60 })
    expect(
      recipePlan({ ...probe, video: { ...video, durationSeconds: 60 } }, { kind: 'ready' }, recipe, 60).picture,
    ).toMatchObject({
      ...{ firstFill: null },
    })
  })

  it('leaves damaged packets out where the file was cut off', () => {
    const cut = { kind: 'full', why: ['incomplete'] } as const
    expect(recipePlan(probe, { ...cut, why: [...cut.why] }, recipe, 4)).toMatchObject({
      ...{ incomplete: true, durationSeconds: 4 },
    })
    expect(by({}).incomplete).toBe(false)
  })

  it('never leaves its frame', () => {
    const side = fc.integer({ min: 1, max: 9000 })
    const frameSide = fc.integer({ min: 32, max: 2048 }).map((half) => half * 2)
    fc.assert(
      fc.property(side, side, frameSide, frameSide, (width, height, frameWidth, frameHeight) => {
        const frame = { ...recipe, width: frameWidth, height: frameHeight }
        const { picture } = recipePlan({ ...probe, video: { ...video, width, height } }, { kind: 'ready' }, frame, 10)
        const { inner } = picture as EncodePicture
        expect([inner.width % 2, inner.height % 2]).toEqual([0, 0])
        expect(inner.width >= 2 && inner.width <= frameWidth).toBe(true)
        expect(inner.height >= 2 && inner.height <= frameHeight).toBe(true)
      }),
    )
  })
})
