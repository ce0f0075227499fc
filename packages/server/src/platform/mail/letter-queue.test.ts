import { describe, expect, it } from 'vitest'
import { createLetterQueue } from './letter-queue.ts'

const MOST_EACH = 3

function filled(...letters: string[]) {
  const queue = createLetterQueue((letter: string) => letter.split(':')[0] ?? '', MOST_EACH)
  const taken = letters.map(queue.add)
  return { ...queue, taken }
}

function allOf({ next }: ReturnType<typeof filled>): string[] {
  const all: string[] = []
  for (let letter = next(); letter !== undefined; letter = next()) all.push(letter)
  return all
}

describe('letters that wait', () => {
  it('[SAFE-07] go to the recipients in turn, each in its own order', () => {
    const queue = filled('ani:1', 'ani:2', 'ani:3', 'budi:1', 'citra:1', 'budi:2')
    expect(queue.size()).toBe(6)
    expect(allOf(queue)).toEqual(['ani:1', 'budi:1', 'citra:1', 'ani:2', 'budi:2', 'ani:3'])
    expect([queue.size(), queue.next()]).toEqual([0, undefined])
  })

  it('[SAFE-07] are few for each recipient, however the address is written', () => {
    const queue = filled('ani:1', 'ANI:2', 'Ani:3', 'ani:4', 'budi:1')
    expect(queue.taken).toEqual([true, true, true, false, true])
    expect(queue.size()).toBe(4)
  })

  it('[SAFE-07] are given up where most wait, the newest first, and nobody loses the only one', () => {
    const queue = filled('ani:1', 'budi:1', 'budi:2', 'budi:3', 'citra:1', 'citra:2')
    const gone = Array.from({ length: 4 }, queue.takeFromLongest)
    expect(gone).toEqual(['budi:3', 'budi:2', 'citra:2', undefined])
    expect(queue.size()).toBe(3)
    expect(allOf(queue)).toEqual(['ani:1', 'budi:1', 'citra:1'])
  })
})
