import { describe, expect, it } from 'vitest'
import { loggedError } from './logged-error.ts'

describe('[SEC-12] a long error', () => {
  it('takes no time, and tells its beginning', () => {
    const began = performance.now()
    const { message } = loggedError(new Error(`gagal: ${'http://'.repeat(100_000)}`)) as { message: string }
    expect(performance.now() - began).toBeLessThan(250)
    expect(message).toMatch(/^gagal: /)
  })

  it('is not cut in the middle of an address, whose secret would no longer be found', () => {
    const address = 'postgres://siarin:rahasia@host/siarin'
    for (let before = 7_950; before < 8_010; before++) {
      const { message } = loggedError(new Error(`${'x'.repeat(before)} ${address} ${'y'.repeat(100)}`)) as {
        message: string
      }
      expect(message).not.toContain('rahasia')
    }
  })
})
