import { describe, expect, it } from 'vitest'
import type { VideoFacts } from './parse/probe.ts'
import { colourMatrixOf, fittedSize } from './picture-rules.ts'

const sizeOf = (change: Partial<VideoFacts>, maxHeight = 1080): string => {
  const video = { width: 1920, height: 1080, rotation: 0, sampleAspect: null, ...change } as VideoFacts
  const { width, height } = fittedSize(video, maxHeight)
  return `${width}x${height}`
}

describe('a picture as it is seen', () => {
  it.each([
    [90, '1080x1920'],
    [-90, '1080x1920'],
    [270, '1080x1920'],
    [-270, '1080x1920'],
    [89.5, '1080x1920'],
    [90.5, '1080x1920'],
    [89, '1920x1080'],
    [45, '1920x1080'],
    [180, '1920x1080'],
    [null, '1920x1080'],
  ])('turned by %d is %s', (rotation, size) => {
    expect(sizeOf({ rotation })).toBe(size)
  })

  it.each([
    ['4:1', '2880x576'],
    ['1:4', '180x576'],
    ['41:10', '720x576'],
    ['10:41', '720x576'],
    ['0:1', '720x576'],
    ['2', '1440x576'],
  ])('with pixels of %s is %s', (sampleAspect, size) => {
    expect(sizeOf({ width: 720, height: 576, sampleAspect })).toBe(size)
  })

  it('turns its pixels with it', () => {
    expect(sizeOf({ width: 720, height: 576, sampleAspect: '64:45', rotation: 90 })).toBe('576x1024')
  })

  it('keeps a side that was rounded on the way, and is never less than two', () => {
    expect(sizeOf({ width: 1919.9999, height: 1079.9999 })).toBe('1920x1080')
    expect(sizeOf({ width: 1, height: 1 })).toBe('2x2')
    expect(sizeOf({ width: null, height: null })).toBe('2x2')
    expect(sizeOf({ width: 4096, height: 2 })).toBe('4096x2')
    expect(sizeOf({ width: 4098, height: 1000 })).toBe('4096x998')
  })
})

it.each([
  ['bt709', 480, 'bt709'],
  ['bt2020nc', 480, 'bt2020'],
  ['bt2020c', 480, 'bt2020'],
  ['smpte170m', 1080, 'bt601'],
  ['bt470bg', 1080, 'bt601'],
  ['gbr', 720, 'bt709'],
  [null, 719, 'bt601'],
  [null, null, 'bt601'],
])('the colours of %s with %s lines are %s', (matrix, height, colours) => {
  expect(colourMatrixOf({ matrix, height } as VideoFacts)).toBe(colours)
})
