import { Secret } from '@siarin/media/secret'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyHint, shownAddress, type TargetParts, targetParts, wholeOf } from './target-parts.ts'

const shown = (parts: TargetParts | string) => (typeof parts === 'string' ? parts : [parts.address, parts.key.reveal()])

describe('[TGT-01] what was typed for a target', () => {
  it.each<[string | null, string | null, unknown]>([
    [null, 'abcd-1234', [null, 'abcd-1234']],
    ['rtmp://host/live', 'abcd', ['rtmp://host/live', 'abcd']],
    ['rtmp://host/live/', 'abcd?sign=1', ['rtmp://host/live', 'abcd?sign=1']],
    ['rtmp://host/live/abcd', null, ['rtmp://host/live', 'abcd']],
    [null, 'rtmps://host:443/live/abcd?a=b/c', ['rtmps://host:443/live', 'abcd?a=b/c']],
    ['', 'RTMP://host/live/inst/abcd', ['RTMP://host/live', 'inst/abcd']],
    ['rtmp://host/live?token=abcd', '', ['rtmp://host', 'live?token=abcd']],
    ['rtmp://host/live/abcd', 'abcd', ['rtmp://host/live', 'abcd']],
    ['rtmp://host/live/inst', 'abcd', ['rtmp://host/live', 'inst/abcd']],
    ['rtmp://host/live/inst/abcd/', 'abcd', ['rtmp://host/live', 'inst/abcd']],
    [
      'rtmp://liveorigin.dlive.nicovideo.jp/live/input',
      'abcd',
      ['rtmp://liveorigin.dlive.nicovideo.jp/live/input', 'abcd'],
    ],
    [null, null, 'key-required'],
    ['', '', 'key-required'],
    ['rtmp://host/live', null, 'key-required'],
    ['rtmp://host/live/', null, 'key-required'],
    ['rtmp://host', null, 'key-required'],
    ['http://host/live', 'abcd', 'address-invalid'],
    ['host/live', 'abcd', 'address-invalid'],
    ['rtmp://host/live', 'rtmp://host/live/abcd', 'key-is-address'],
    ['rtmp://host/live?token=1', 'abcd', 'address-has-query'],
  ])('%j and %j', (address, key, expected) => {
    expect(shown(targetParts(address, key))).toEqual(expected)
  })

  const word = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/)

  it('comes back whole from its parts, and nothing behind the app stays in the address', () => {
    fc.assert(
      fc.property(word, word, fc.stringMatching(/^[a-zA-Z0-9_?&=/-]{1,40}$/), (host, app, key) => {
        const whole = `rtmp://${host}/${app}/${key}`
        const parts = targetParts(whole, null)
        if (typeof parts === 'string') throw new Error(parts)
        expect(wholeOf(parts).reveal()).toBe(whole)
        expect(parts.address).toBe(`rtmp://${host}/${app}`)
        expect(targetParts(null, whole)).toEqual(parts)
      }),
    )
  })

  it.each<[string | null, string, string | null]>([
    [null, 'a/abcd', null],
    ['rtmp://host/live', 'abcd', 'rtmp://host/live'],
    ['rtmp://host/live/abcd', 'abcd', 'rtmp://host/live/…'],
    ['rtmp://host/live/abcd', 'efgh', 'rtmp://host/live/…'],
    ['rtmp://host/abcd', 'abcd', 'rtmp://host/…'],
    ['rtmp://host/live', 'inst/abcd?a=b/c', 'rtmp://host/live/…'],
    ['rtmp://liveorigin.dlive.nicovideo.jp/live/input', 'abcd', 'rtmp://liveorigin.dlive.nicovideo.jp/live/input'],
  ])('of the address %j with the key %j a screen shows %j', (address, key, expected) => {
    expect(shownAddress({ address, key: new Secret(key) })).toBe(expected)
  })

  it('shows at most four characters of its key, and never more than a quarter', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (key) => {
        const hint = keyHint(new Secret(`rahasia/${key.replaceAll('/', '-')}`))
        expect(hint.length).toBeLessThanOrEqual(Math.min(4, key.length / 4))
        expect(key.replaceAll('/', '-').endsWith(hint)).toBe(true)
      }),
    )
    expect(keyHint(new Secret('abcdefghijklmnop'))).toBe('mnop')
  })
})
