import { describe, expect, it } from 'vitest'
import { createPasswords } from './passwords.ts'

describe('[SAFE-06] passwords that are to be hashed', () => {
  it('wait for their turn, and beyond fifty that wait are refused with a time to come back', async () => {
    // The bound is what is looked at: sixty true hashes would keep a core busy for seconds.
    const quick = { hash: async (password: string) => `#${password}`, verify: async () => true }
    const passwords = createPasswords(quick)
    const answers = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.hash('rahasia')))
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    expect(refused).toHaveLength(6)
    expect(refused[0]).toMatchObject({ code: 'server_busy', retryAfterSeconds: 5 })
    expect(await passwords.hash('rahasia')).toBe('#rahasia')
  })

  it('are true ones', async () => {
    const passwords = createPasswords()
    const hash = await passwords.hash('rahasia')
    expect([await passwords.matches(hash, 'rahasia'), await passwords.matches(hash, 'rahasiA')]).toEqual([true, false])
  })
})
