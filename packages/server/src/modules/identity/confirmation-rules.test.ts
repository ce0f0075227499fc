import { describe, expect, it } from 'vitest'
import { CONFIRMED_FOR_MS, isConfirmed } from './confirmation-rules.ts'

describe('[SAFE-02] a session that wants to see the key', () => {
  const now = 10 * CONFIRMED_FOR_MS
  const strange = { confirmedAt: null, fromTrustedDevice: false, fromWhereTyped: true }

  it('has to have typed the password within a quarter of an hour', () => {
    expect(isConfirmed(strange, now)).toBe(false)
    expect(isConfirmed({ ...strange, confirmedAt: now - CONFIRMED_FOR_MS + 1 }, now)).toBe(true)
    expect(isConfirmed({ ...strange, confirmedAt: now - CONFIRMED_FOR_MS }, now)).toBe(false)
  })

  it('where it calls from: what its owner types elsewhere is of no use to a copied token', () => {
    expect(isConfirmed({ ...strange, confirmedAt: now, fromWhereTyped: false }, now)).toBe(false)
  })

  it("or to come from a browser that is known as its owner's", () => {
    expect(isConfirmed({ ...strange, fromTrustedDevice: true }, now)).toBe(true)
  })
})
