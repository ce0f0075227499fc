import { expect, it } from 'vitest'
import { createLines } from './messages.ts'

const readAll = (pieces: string[]): unknown[] => {
  const messages: unknown[] = []
  const read = createLines<unknown>((message) => messages.push(message))
  for (const piece of pieces) read(piece)
  return messages
}

it('messages come whole, however they were cut on their way', () => {
  const text = '{"id":1}\n{"id":2}\n{"id":3}\n'
  expect(readAll([text])).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  expect(readAll([...text])).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
})

it('one that never ends is refused before it fills the memory', () => {
  const read = createLines(() => {})
  const megabyte = 'a'.repeat(2 ** 20)
  expect(() => read(megabyte)).toThrow('too long')
})
