import { expect, it } from 'vitest'
import { firstLetter } from './first-letter.ts'

it.each([
  ['budi', 'B'],
  [' élan', 'É'],
  ['👨‍👩‍👧 keluarga', '👨‍👩‍👧'],
  ['ليلى', 'ل'],
  ['', ''],
])('the first letter of %j is %j', (name, letter) => {
  expect(firstLetter(name)).toBe(letter)
})
