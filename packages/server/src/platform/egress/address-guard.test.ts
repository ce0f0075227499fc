import { describe, expect, it } from 'vitest'
import { isPublicAddress, literalAddress } from './address-guard.ts'

describe('an address', () => {
  it.each(['8.8.8.8', '168.63.129.17', '166.12.0.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:0:127.0.0.1',
    '::7f00:1',
    '::808:808',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '2001:db8::1',
    '2001::7f00:1',
    '2002:7f00:1::',
    '4000::1',
    // Services of clouds: metadata, agents, names.
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '64:ff9b::a83f:8110',
    '2002:a83f:8110::1',
    '::a83f:8110',
    '161.26.0.10',
    '166.11.255.255',
    '192.0.0.192',
    '100.100.100.200',
    '169.254.42.42',
    'fd00:ec2::254',
    'fd20:ce::254',
    '3fff::1',
    'not an address',
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each([
    ['0x7f.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['[::1]', '::1'],
    ['[::ffff:127.0.0.1]', '127.0.0.1'],
    ['localhost', null],
  ])('%s is plainly %s', (host, plain) => {
    expect(literalAddress(host)).toBe(plain)
  })
})
