import { videoPath } from '@siarin/contracts/videos'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sourceFilename } from './source-filename.ts'

describe('the source of a broadcast', () => {
  it.each([
    ['klip.mp4', 'klip.mp4'],
    ['/fitur/video/klip%20satu.mp4?apiKey=abc', 'klip satu.mp4'],
    ['https://siarin.example/fitur/video/klip%20satu.mp4?apiKey=abc', 'klip satu.mp4'],
    ['100% asli?.mp4', '100% asli?.mp4'],
    ['HTTPS://siarin.example/fitur/video/klip.mp4', 'klip.mp4'],
    ['http://siarin.example/fitur/video/klip.mp4#t=1', 'klip.mp4'],
    ['/fitur/video/klip.mp4#t=1\n', 'klip.mp4'],
    ['tentang http.mp4', 'tentang http.mp4'],
  ])('%j names the video %j', (source, filename) => {
    expect(sourceFilename(source)).toBe(filename)
  })

  it.each([
    'https://cdn.example/live.m3u8',
    'file:///etc/passwd',
    'http://',
    'x http://siarin.example/fitur/video/klip.mp4',
    '/fitur/video/',
    '/fitur/video/%E0%A4%A',
  ])('%j names none', (source) => {
    expect(sourceFilename(source)).toBeNull()
  })

  it('finds any name behind its own address', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (filename) => {
        expect(sourceFilename(videoPath(filename))).toBe(filename)
      }),
    )
  })
})
