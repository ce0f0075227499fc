import { describe, expect, it } from 'vitest'
import { addressKey, networkKey } from './address-key.ts'

describe('[SAFE-06] the name under which an address is counted', () => {
  it.each([
    ['an IPv4 address', '203.0.113.7', '203.0.113.7'],
    ['the same through a socket for both', '::ffff:203.0.113.7', '203.0.113.7'],
    ['an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['another of the same line', '2001:0db8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
    ['one of the neighbour', '2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['what is no address', 'unknown', 'unknown'],
  ])('of %s', (_, address, key) => {
    expect(addressKey(address)).toBe(key)
  })

  it.each([
    ['an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['another line of the same network', '2001:db8:1:ffff::1', '2001:db8:1::/48'],
    ['IPv4', '203.0.113.7', null],
    ['IPv4 through a socket for both', '::ffff:203.0.113.7', null],
    ['what is no address', 'unknown', null],
  ])('once more by its network, of %s', (_, address, key) => {
    expect(networkKey(address)).toBe(key)
  })
})
