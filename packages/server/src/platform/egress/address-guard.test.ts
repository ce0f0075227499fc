import { describe, expect, it } from 'vitest'
import { isPublicAddress, judgeHost } from './address-guard.ts'

describe('an address', () => {
  it.each(['8.8.8.8', '2606:4700:4700::1111'])('%s is public', (address) => {
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
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    '::ffff:127.0.0.1',
    '::7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'not an address',
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it('is judged by every address behind a name', async () => {
    expect(await judgeHost('localhost')).toBe('private')
    expect(await judgeHost('[::1]')).toBe('private')
    expect(await judgeHost('8.8.8.8')).toBe('public')
    expect(await judgeHost('name.invalid')).toBe('unknown-host')
  })
})
