import type { Standing } from '@siarin/contracts/standing'
import { describe, expect, it } from 'vitest'
import { contactWords } from './contact-words.ts'

const words = (change: Partial<Standing>, username = 'budi'): string =>
  contactWords('Siarin', username, { plan: 'free-trial', state: 'ended', ...change } as Standing)

describe('[LIVE-20] the chat that the notice opens', () => {
  it('wants what somebody in that state wants, and says who asks and with which plan', () => {
    expect(words({})).toBe(
      'Halo admin Siarin, username saya budi. Paket saya Free Trial. Saya ingin upgrade ke premium.',
    )
    expect(words({ plan: 'starter' })).toBe(
      'Halo admin Siarin, username saya budi. Paket saya Starter. Paket Starter saya sudah berakhir dan saya ingin memperpanjangnya.',
    )
    expect(words({ plan: 'starter', state: 'suspended' })).toBe(
      'Halo admin Siarin, username saya budi. Paket saya Starter. Akun saya dihentikan. Kenapa, dan apa yang perlu saya lakukan supaya dibuka lagi?',
    )
  })

  it('puts a name of several words in quotes', () => {
    expect(words({}, 'budi dari bandung')).toContain('username saya "budi dari bandung". ')
  })

  it('asks for an upgrade while it is not known how the person stands', () => {
    expect(contactWords('Siarin', 'budi', undefined)).toBe(
      'Halo admin Siarin, username saya budi. Saya ingin upgrade ke premium.',
    )
  })
})
