import { describe, expect, it } from 'vitest'
import { leavesRoomForTelling } from './database-reserve.ts'

const MB = 1024 ** 2

describe('those that only tell of broadcasts', () => {
  it.each([
    ['there is room', 100 * MB, 0, true],
    ['the reserve could not be made, but there is room', 100 * MB, 8 * MB, true],
    ['the disk is full', 100 * 1024, 0, false],
    ['the database lives on a piece of its reserve', MB, MB, false],
    ['little more is free than the reserve lacks', 10 * MB, 8 * MB, false],
  ])('%s', (_, freeBytes, missingBytes, mayWrite) => {
    expect(leavesRoomForTelling(freeBytes, missingBytes)).toBe(mayWrite)
  })
})
