import { expect, it } from 'vitest'
import { createBrokenItems, LOOK_AGAIN_MS } from './broken-items.ts'

it('a broken video is told once until it can be played again, and is not looked at again at once', () => {
  let nowMs = 0
  const broken = createBrokenItems(() => nowMs)
  expect(broken.isKnown('a')).toBe(false)
  broken.found('a', 'gone')
  broken.found('b', 'damaged')
  expect(broken.isKnown('a')).toBe(true)
  // The same video may stand in a list many times.
  expect(broken.tell(['a', 'b', 'a'])).toEqual([
    { videoId: 'a', why: 'gone' },
    { videoId: 'b', why: 'damaged' },
  ])
  nowMs += LOOK_AGAIN_MS
  expect(broken.isKnown('a')).toBe(false)
  broken.found('a', 'gone')
  expect(broken.tell(['a', 'b'])).toEqual([])
  broken.mended('a')
  broken.found('a', 'damaged')
  expect(broken.tell(['a', 'b'])).toEqual([{ videoId: 'a', why: 'damaged' }])
  broken.keepOnly(['a'])
  broken.found('b', 'gone')
  expect(broken.tell(['a', 'b'])).toEqual([{ videoId: 'b', why: 'gone' }])
})
