import { describe, expect, it } from 'vitest'
import { inBatches } from './in-batches.ts'

describe('work in batches', () => {
  it('takes along what was asked for meanwhile, and answers each its own', async () => {
    const batches: number[][] = []
    const double = inBatches(async (items: readonly number[]) => {
      batches.push([...items])
      await new Promise((resolve) => setTimeout(resolve, 5))
      return items.map((item) => item * 2)
    })
    const first = [double(1), double(2)]
    await new Promise((resolve) => setTimeout(resolve, 2))
    const later = [double(3), double(4), double(5)]
    expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10])
    expect(batches.flat()).toEqual([1, 2, 3, 4, 5])
    expect(batches.length).toBeLessThan(5)
  })

  it('goes on after a failure', async () => {
    const work = inBatches(async (items: readonly string[]) => {
      if (items.includes('bad')) throw new Error('no')
      return items
    })
    await expect(work('bad')).rejects.toThrow('no')
    expect(await work('good')).toBe('good')
  })
})
