import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createIdSet } from './id-set.ts'

describe('a set of ids', () => {
  it('has what was added to it and nothing else', () => {
    const id = fc.oneof(fc.nat(20_000), fc.nat(Number.MAX_SAFE_INTEGER))
    fc.assert(
      fc.property(fc.array(id), fc.array(id), (added, others) => {
        const [ids, set] = [createIdSet(), new Set(added)]
        for (const each of added) ids.add(each)
        for (const each of [...added, ...others]) expect(ids.has(each)).toBe(set.has(each))
      }),
    )
  })

  it('[SAFE-07] takes few megabytes for a million of one account among those of ten', () => {
    const before = process.memoryUsage().arrayBuffers
    const ids = createIdSet()
    for (let id = 1; id <= 10_000_000; id += 10) ids.add(id)
    const bytes = process.memoryUsage().arrayBuffers - before
    process.stdout.write(`a million ids take ${Math.round(bytes / 1024)} KB\n`)
    expect(bytes).toBeLessThan(5 * 1024 ** 2)
    expect([ids.has(9_999_991), ids.has(9_999_992)]).toEqual([true, false])
  })
})
