import { Secret } from '@siarin/media/secret'
import { describe, expect, it } from 'vitest'
import { createSealer } from './seal.ts'

describe('a sealed secret', () => {
  const sealer = createSealer(new Secret('the secret of this installation'))

  it('opens to what it was and shows nothing of it', () => {
    const sealed = sealer.seal(new Secret('kunci-siaran-é'))
    expect(sealed).not.toContain('kunci')
    expect(sealer.open(sealed).reveal()).toBe('kunci-siaran-é')
  })

  it('looks different each time', () => {
    const secret = new Secret('kunci')
    expect(sealer.seal(secret)).not.toBe(sealer.seal(secret))
  })

  it('looks the same each time where that is asked for, and different for another secret', () => {
    const sealed = sealer.sealAlike(new Secret('kunci'))
    expect(sealer.sealAlike(new Secret('kunci'))).toBe(sealed)
    expect(sealer.open(sealed).reveal()).toBe('kunci')
    expect(sealer.sealAlike(new Secret('kunci2')).slice(0, 16)).not.toBe(sealed.slice(0, 16))
  })

  it('does not open when a byte was changed, or under another secret', () => {
    const sealed = sealer.seal(new Secret('kunci-siaran'))
    const changed = sealed.slice(0, -2) + (sealed.at(-2) === 'A' ? 'B' : 'A') + sealed.at(-1)
    expect(() => sealer.open(changed)).toThrow()
    expect(() => createSealer(new Secret('another secret entirely')).open(sealed)).toThrow()
    for (const odd of ['plain text', 'v1', 'v1.', `v2${sealed.slice(2)}`]) {
      expect(() => sealer.open(odd), odd).toThrow('unknown form')
    }
    for (const short of ['v1.AAAA', sealed.slice(0, 20)]) expect(() => sealer.open(short), short).toThrow()
  })

  it('[SEC-14] does not open with a part of its tag: four bytes can be guessed', () => {
    const bytes = Buffer.from(sealer.seal(new Secret('')).slice('v1.'.length), 'base64url')
    for (const tagBytes of [4, 8, 12, 13, 14, 15]) {
      const short = `v1.${bytes.subarray(0, 12 + tagBytes).toString('base64url')}`
      expect(() => sealer.open(short), `${tagBytes} bytes`).toThrow()
    }
    expect(sealer.open(`v1.${bytes.toString('base64url')}`).reveal()).toBe('')
  })

  it('has a mark that is the same each time, another one for another secret, and none of its text', () => {
    const mark = sealer.mark(new Secret('kunci'))
    expect(sealer.mark(new Secret('kunci'))).toBe(mark)
    expect(sealer.mark(new Secret('kunci2'))).not.toBe(mark)
    expect(createSealer(new Secret('another secret entirely')).mark(new Secret('kunci'))).not.toBe(mark)
    expect(mark).toMatch(/^[\w-]{43}$/)
  })

  it('opens in a later version too', () => {
    const written = 'v1.XA-ivYpk-7uh6RUYq6ZKwwGJfNG80BRz-u5ne0NbQXtodzZmoukkoQ'
    expect(sealer.open(written).reveal()).toBe('kunci-siaran')
    expect(sealer.sealAlike(new Secret('kunci-siaran'))).toBe(written)
  })
})
