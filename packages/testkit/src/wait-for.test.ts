import assert from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { waitFor } from './wait-for.ts'

const soon = { timeoutMs: 60, everyMs: 5 }

describe('waitFor', () => {
  it('answers the first thing that is neither nothing nor false, zero included', async () => {
    const answers = [null, undefined, false, 0] as const
    let asked = 0
    expect(await waitFor('a number', async () => answers[asked++], soon)).toBe(0)
    expect(asked).toBe(4)
  })

  it('goes on after an error', async () => {
    let asked = 0
    const probe = async () => {
      if (asked++ === 0) throw new Error('not yet')
      return 'there'
    }
    expect(await waitFor('a word', probe, soon)).toBe('there')
  })

  it('does not wait on when an assertion failed, which may hold at the next look', async () => {
    let asked = 0
    const probe = async () => {
      expect(asked++).toBe(1)
      return true
    }
    await expect(waitFor('the second look', probe, soon)).rejects.toThrow(/expected \+?0 to be 1/)
    expect(asked).toBe(1)
    const assertion = async () => assert.equal(asked++, 2)
    await expect(waitFor('the third', assertion, soon)).rejects.toThrow(assert.AssertionError)
    expect(asked).toBe(2)
  })

  it('says what it waited for and the last error', async () => {
    const probe = () => Promise.reject(new Error('connection refused'))
    await expect(waitFor('the moon', probe, soon)).rejects.toThrow(/the moon.*connection refused/)
    await expect(waitFor('the sun', async () => null, soon)).rejects.toThrow(/the sun$/)
  })

  it('does not wait longer for a probe that never answers', async () => {
    await expect(waitFor('a sign', () => new Promise<never>(() => {}), soon)).rejects.toThrow(/a sign/)
  })
})
