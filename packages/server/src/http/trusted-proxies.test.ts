import { describe, expect, it } from 'vitest'
import { createProxyTrust, isNetwork, LOOPBACK } from './trusted-proxies.ts'

describe('[SAFE-06] the proxies that are believed', () => {
  it('are those on this machine where the setting is true', () => {
    const isProxy = createProxyTrust(LOOPBACK)
    expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].map(isProxy)).toEqual([true, true, true, true])
    expect(['10.0.0.1', '203.0.113.7', '::2', '::ffff:10.0.0.1', 'unix', ''].some(isProxy)).toBe(false)
  })

  it('are the addresses and networks of the list', () => {
    const isProxy = createProxyTrust(['10.0.0.2', '172.16.0.0/12', '2001:db8::/32', '2001:db9::7'])
    expect(['10.0.0.2', '172.17.0.1', '::ffff:172.17.0.1', '2001:db8::1', '2001:db9::7'].every(isProxy)).toBe(true)
    expect(['10.0.0.3', '172.32.0.1', '2001:db9::8', '127.0.0.1'].some(isProxy)).toBe(false)
  })

  it('are nobody where there is no list', () => {
    expect(createProxyTrust([])('127.0.0.1')).toBe(false)
  })

  it('are told from what is none', () => {
    expect(['10.0.0.2', '10.0.0.0/8', '::1', 'fd00::/8'].every(isNetwork)).toBe(true)
    expect(['proxy.example', '10.0.0.0/33', '', 'yes'].some(isNetwork)).toBe(false)
  })
})
