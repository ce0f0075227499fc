import { describe, expect, it } from 'vitest'
import { isPublicAddress, literalAddress } from './address-guard.ts'

describe('an address', () => {
  it.each(['8.8.8.8', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

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
