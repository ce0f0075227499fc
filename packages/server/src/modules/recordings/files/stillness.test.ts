import { expect, it } from 'vitest'
import { createStillness } from './stillness.ts'

it('[REC-02] a recorder that has written nothing for a minute stands still', () => {
  let now = 0
  const { isStill, keepOnly } = createStillness(60_000, () => now)
  const at = (ms: number, mark: string, id = 'a') => {
    now = ms
    return isStill(id, mark)
  }
  expect([at(0, 'x'), at(59_999, 'x'), at(60_000, 'x'), at(60_001, 'y'), at(120_000, 'y'), at(120_001, 'y')]).toEqual([
    false,
    false,
    true,
    false,
    false,
    true,
  ])
  keepOnly(['b'])
  expect(at(200_000, 'y')).toBe(false)
})
