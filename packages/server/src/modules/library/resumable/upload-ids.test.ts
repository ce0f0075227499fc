import { describe, expect, it } from 'vitest'
import { isUploadId, newUploadId, splitUploadId } from './upload-ids.ts'

const USER = '0b0e7d0e-5f4b-4c55-9c7c-0d8f1b6b2a11'
const VIDEO = '3b1c2a90-8f0e-4d2e-9d57-6a1c1d0e9f22'

describe('the id of an upload', () => {
  it('says whose it is and which video it becomes', () => {
    const id = newUploadId(USER)
    expect(isUploadId(id)).toBe(true)
    const { userId, videoId } = splitUploadId(id)
    expect(userId).toBe(USER)
    expect(id).toBe(`${USER}~${videoId}`)
    expect(newUploadId(USER)).not.toBe(id)
  })

  it.each([
    ['the record beside its file', `${USER}~${VIDEO}.json`],
    ['a path', `../${USER}~${VIDEO}`],
    ['a video alone', VIDEO],
    ['nobody’s', `~${VIDEO}`],
    ['nothing', ''],
  ])('is not %s', (_, text) => {
    expect(isUploadId(text)).toBe(false)
  })

  it('that is none has no video', () => {
    expect(splitUploadId('')).toEqual({ userId: '', videoId: '' })
    expect(splitUploadId(USER)).toEqual({ userId: USER, videoId: '' })
  })
})
