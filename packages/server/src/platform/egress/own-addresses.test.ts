import { describe, expect, it, vi } from 'vitest'
import { createGuard } from './guard.ts'
import { createOwnAddresses } from './own-addresses.ts'

const card = (address: string, internal = false) => ({ eth0: [{ address, internal }] }) as never
const nothing = async () => []

describe('an address of this machine', () => {
  it('is one of its interfaces, in any way of writing it, but not loopback', async () => {
    const isOwn = createOwnAddresses({ lookup: nothing, interfaces: () => card('203.0.113.9') })
    expect(await isOwn(['203.0.113.9'])).toBe(true)
    expect(await isOwn(['198.51.100.1', '::ffff:203.0.113.9'])).toBe(true)
    expect(await isOwn(['198.51.100.1'])).toBe(false)
    const loop = createOwnAddresses({ lookup: nothing, interfaces: () => card('127.0.0.1', true) })
    expect(await loop(['127.0.0.1'])).toBe(false)
  })

  it('is one of IPv6 with its interface named, or written at length', async () => {
    const isOwn = createOwnAddresses({ lookup: nothing, interfaces: () => card('2001:db8::1%eth0') })
    expect(await isOwn(['2001:0db8:0:0::1'])).toBe(true)
  })

  it('is one that the operator lists, or that the public name leads to; the name is asked for once', async () => {
    const lookup = vi.fn(async () => ['203.0.113.7'])
    const isOwn = createOwnAddresses({
      host: 'siarin.example',
      addresses: ['203.0.113.8'],
      lookup,
      interfaces: () => ({}),
    })
    expect(await isOwn(['203.0.113.7'])).toBe(true)
    expect(await isOwn(['203.0.113.8'])).toBe(true)
    expect(await isOwn(['203.0.113.6'])).toBe(false)
    expect(lookup).toHaveBeenCalledExactlyOnceWith('siarin.example')
  })

  it('stays known while nobody answers for the name', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    let found = ['203.0.113.7']
    const isOwn = createOwnAddresses({ host: 'siarin.example', lookup: async () => found, interfaces: () => ({}) })
    expect(await isOwn(['203.0.113.7'])).toBe(true)
    found = []
    now.mockReturnValue(61_000)
    expect(await isOwn(['203.0.113.7'])).toBe(true)
    found = ['203.0.113.9']
    now.mockReturnValue(122_000)
    expect([await isOwn(['203.0.113.7']), await isOwn(['203.0.113.9'])]).toEqual([false, true])
    now.mockRestore()
  })

  it('is not reached for anybody, unless the private network is allowed', async () => {
    const settings = { dnsServers: [], isAllowed: () => true, own: { host: '203.0.113.5', addresses: [] } }
    const guard = createGuard({ ...settings, allowPrivateNetwork: false })
    await expect(guard.resolve('203.0.113.5')).rejects.toMatchObject({ why: 'forbidden' })
    await expect(guard.resolve('203.0.113.4')).resolves.toEqual(['203.0.113.4'])
    const open = createGuard({ ...settings, allowPrivateNetwork: true })
    await expect(open.resolve('203.0.113.5')).resolves.toEqual(['203.0.113.5'])
  })
})
