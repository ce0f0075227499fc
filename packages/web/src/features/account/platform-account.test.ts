import { describe, expect, it } from 'vitest'
import { toAccounts } from './platform-account.ts'

const whole = { platform: 'bigo', account_id: 'a1', name: 'Rina', credentials: { siteId: '784512' } }

describe('[ACC-05] accounts as the server sends them', () => {
  it('have their siteId or token as auth', () => {
    expect(toAccounts([whole, { ...whole, platform: 'tiktok', credentials: { token: '••••abcd' } }])).toEqual([
      { platform: 'bigo', account_id: 'a1', name: 'Rina', auth: '784512' },
      { platform: 'tiktok', account_id: 'a1', name: 'Rina', auth: '••••abcd' },
    ])
  })

  it.each([
    { platform: undefined },
    { account_id: '' },
    { name: undefined },
    { credentials: undefined },
    { credentials: {} },
    { credentials: null },
  ])('are left out with %j', (change) => {
    expect(toAccounts([{ ...whole, ...change }, whole])).toHaveLength(1)
  })

  it('may be no objects at all', () => {
    expect(toAccounts([null, 'text', 7])).toEqual([])
  })
})
