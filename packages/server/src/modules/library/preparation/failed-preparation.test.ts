import { storedForm } from '@siarin/contracts/video-reasons'
import { describe, expect, it } from 'vitest'
import { failedColumns, failureOf } from './failed-preparation.ts'

describe('the reason of an ffmpeg that failed', () => {
  it.each([
    ['its last words: no space', ['av_interleaved_write_frame(): No space left on device'], null, 'disk-full'],
    ['its last words: too many pixels', ['Picture size exceeds max pixel count'], null, 'too-many-pixels'],
    ['its last words: no memory', ['Cannot allocate memory'], null, 'too-much-work'],
    ['its time', [], 'over-time', 'over-time'],
    ['that it stood still', [], 'stood-still', 'too-much-work'],
    ['a full disk, also where its time was over', ['No space left on device'], 'over-time', 'disk-full'],
    ['nobody knows what', ['Conversion failed!'], null, 'prepare-failed'],
  ] as const)('is %s', (_, lastLines, timedOut, reason) => {
    expect(failureOf({ lastLines, timedOut })).toBe(reason)
  })
})

describe('a row after a preparation in vain', () => {
  const over = { step: null, progress: null, seconds_left: null, lane: null }
  const why = { code: 'disk-full' } as const

  it('has failed where there is no master', () => {
    expect(failedColumns({ master: null }, why)).toEqual({ ...over, status: 'failed', reason: storedForm(why) })
  })

  it('is ready again where there is one, with a warning', () => {
    const master = { key: 'k', bytes: 1, contentType: 'video/mp4', loop: null, tailKey: null, thumbnailKey: null }
    expect(failedColumns({ master }, why)).toEqual({
      ...over,
      status: 'ready',
      warning: storedForm({ code: 'prepare-again-failed', because: storedForm(why) }),
    })
  })
})
