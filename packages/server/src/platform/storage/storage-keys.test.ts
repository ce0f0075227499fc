import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isKey, isPrefix } from './storage-keys.ts'

describe('a storage key', () => {
  it('is a plain relative path of ours', () => {
    for (const key of ['a', 'user-1/video_2/original.mp4', 'u/v/master-2.mp4', 'u/v/master-0f-1.mp4']) {
      expect([key, isKey(key), isPrefix(key), isPrefix(`${key}/`)]).toEqual([key, true, true, true])
    }
    expect(isKey('u/v/')).toBe(false)
  })

  it('names one place below the root, whoever wrote it', () => {
    const text = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom('.', '..', '/', 'a', '-', '\\', '~', '.part')).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(text, (key) => {
        if (isKey(key)) expect(resolve('/root', key)).toBe(`/root/${key}`)
        if (isPrefix(key)) expect(resolve('/root', key)).toBe(`/root/${key.replace(/\/$/, '')}`)
      }),
      { numRuns: 2_000 },
    )
  })
})
