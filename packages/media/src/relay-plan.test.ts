import { describe, expect, it } from 'vitest'
import { parseProbe } from './parse/probe.ts'
import { exceedsLimits, relayPlan } from './relay-plan.ts'

const VIDEO = {
  codec_type: 'video',
  codec_name: 'h264',
  profile: 'High',
  width: 1920,
  height: 1080,
  pix_fmt: 'yuv420p',
}
const AUDIO = { codec_type: 'audio', codec_name: 'aac', profile: 'LC', sample_rate: '48000', channels: 2 }

const planOf = (...streams: object[]) => {
  const probe = parseProbe(JSON.stringify({ format: {}, streams }))
  return probe && relayPlan(probe)
}
const encoded = { kind: 'encode', width: 1280, height: 720 }

describe('a source', () => {
  it('that platforms take is sent as it is', () => {
    expect(planOf(VIDEO, AUDIO)).toMatchObject({ picture: { kind: 'copy' }, sound: 'copy' })
  })

  it.each([
    ['another codec', { codec_name: 'hevc', profile: 'Main' }],
    ['ten bits', { pix_fmt: 'yuv420p10le', profile: 'High 10' }],
    ['half pictures', { field_order: 'tt' }],
  ])('with %s is re-encoded, no larger than 720 lines', (_, change) => {
    expect(planOf({ ...VIDEO, ...change }, AUDIO)).toMatchObject({ picture: encoded, sound: 'copy' })
  })

  it('beyond what a plan allows is re-encoded, at most 30 pictures a second', () => {
    const probe = parseProbe(JSON.stringify({ format: {}, streams: [{ ...VIDEO, avg_frame_rate: '60/1' }, AUDIO] }))
    const plan = (maxHeight: number, maxFps: number) => probe && relayPlan(probe, { maxHeight, maxFps })?.picture
    expect(plan(1080, 60)).toEqual({ kind: 'copy' })
    expect(plan(720, 60)).toEqual(encoded)
    expect(plan(1080, 30)).toEqual(encoded)
  })

  it('exceeds a plan by its size and its rate only', () => {
    const exceeds = (change: object) => {
      const video = parseProbe(JSON.stringify({ format: {}, streams: [{ ...VIDEO, ...change }] }))?.video
      return video && exceedsLimits(video, { maxHeight: 1080, maxFps: 30 })
    }
    expect([{ height: 1440, width: 2560 }, { avg_frame_rate: '60/1' }].map(exceeds)).toEqual([true, true])
    const asItWas = [{}, { field_order: 'tt' }, { codec_name: 'hevc', profile: 'Main' }, { avg_frame_rate: '30/1' }]
    expect(asItWas.map(exceeds)).toEqual([false, false, false, false])
  })

  it('may measure two pictures a second more than a plan allows', () => {
    const pictureAt = (rate: string | null) => {
      const stream = { ...VIDEO, ...(rate === null ? {} : { avg_frame_rate: rate }) }
      const probe = parseProbe(JSON.stringify({ format: {}, streams: [stream, AUDIO] }))
      return probe && relayPlan(probe, { maxHeight: 1080, maxFps: 30 })?.picture.kind
    }
    expect([pictureAt('32/1'), pictureAt('321/10'), pictureAt(null)]).toEqual(['copy', 'encode', 'copy'])
  })

  it('of a plan with fewer lines is re-encoded to those', () => {
    const probe = parseProbe(JSON.stringify({ format: {}, streams: [VIDEO, AUDIO] }))
    expect(probe && relayPlan(probe, { maxHeight: 480, maxFps: 30 })?.picture).toMatchObject({ height: 480 })
  })

  it.each([
    ['Baseline', { profile: 'Baseline' }],
    ['Constrained Baseline', { profile: 'Constrained Baseline' }],
    ['Main', { profile: 'Main' }],
    ['the range of a camera', { pix_fmt: 'yuvj420p' }],
    ['whole pictures, as it says', { field_order: 'progressive' }],
  ])('with %s is sent as it is', (_, change) => {
    expect(planOf({ ...VIDEO, ...change }, AUDIO)?.picture).toEqual({ kind: 'copy' })
  })

  it('that does not tell its profile is re-encoded', () => {
    expect(planOf({ ...VIDEO, profile: undefined }, AUDIO)?.picture).toEqual(encoded)
    expect(planOf(VIDEO, { ...AUDIO, channels: undefined })?.sound).toBe('encode')
  })

  it('may have the sound of a disc, or of one channel', () => {
    expect(planOf(VIDEO, { ...AUDIO, sample_rate: '44100' })?.sound).toBe('copy')
    expect(planOf(VIDEO, { ...AUDIO, channels: 1 })?.sound).toBe('copy')
  })

  it('that is small or upright keeps its shape', () => {
    expect(planOf({ ...VIDEO, codec_name: 'vp9', width: 640, height: 360 }, AUDIO)?.picture).toMatchObject({
      width: 640,
      height: 360,
    })
    expect(planOf({ ...VIDEO, codec_name: 'vp9', width: 1080, height: 1920 }, AUDIO)?.picture).toMatchObject({
      width: 720,
      height: 1280,
    })
  })

  it.each([
    ['another codec', { codec_name: 'mp3', profile: undefined }],
    ['a profile that not all take', { profile: 'HE-AAC' }],
    ['more than two channels', { channels: 6 }],
    ['an odd rate', { sample_rate: '32000' }],
  ])('whose sound has %s gets other sound, and keeps its picture', (_, change) => {
    expect(planOf(VIDEO, { ...AUDIO, ...change })).toMatchObject({ picture: { kind: 'copy' }, sound: 'encode' })
  })

  it('without sound gets silence, one without a picture is none', () => {
    expect(planOf(VIDEO)).toMatchObject({ sound: 'silence' })
    expect(planOf(AUDIO)).toBeNull()
    expect(planOf({ ...VIDEO, width: 0 }, AUDIO)).toBeNull()
    expect(planOf({ ...VIDEO, height: 0 }, AUDIO)).toBeNull()
    expect(planOf(VIDEO, { ...AUDIO, sample_rate: undefined })).toMatchObject({ sound: 'silence' })
  })
})
