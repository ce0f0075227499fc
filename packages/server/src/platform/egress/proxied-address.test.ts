import { describe, expect, it } from 'vitest'
import { fromProxied, isPlaylist, proxiedPlaylist, toProxied } from './proxied-address.ts'

describe('an address that ffmpeg reads through the proxy', () => {
  it.each([
    ['http://a.example/x.m3u8?t=1', 'http://a.example/x.m3u8?t=1'],
    ['https://a.example/x.m3u8?t=1', 'http://a.example.tls.invalid:443/x.m3u8?t=1'],
    ['HTTPS://a.example:8443', 'http://a.example.tls.invalid:8443'],
    ['https://93.184.216.34/x', 'http://93.184.216.34.tls.invalid:443/x'],
  ])('%s is given as %s', (address, given) => {
    expect(toProxied(address)).toBe(given)
    const back = fromProxied(new URL(given))
    expect(back.href).toBe(new URL(address).href)
  })

  it.each(['https://[2606:4700::1]/x', 'https://user:word@a.example/x', 'https:///x', 'seg1.ts', '/seg1.ts', 'file:///x'])(
    '%s is left as it is',
    (address) => expect(toProxied(address, 'https:')).toBe(address),
  )
})

describe('a playlist', () => {
  const playlist = [
    '#EXTM3U',
    '#EXT-X-KEY:METHOD=AES-128,URI="https://keys.example/k?a=1,2",IV=0x1',
    '#EXT-X-MAP:URI="init.mp4"',
    '#EXTINF:2,https://a title that is not an address',
    'https://cdn.example/a.ts\r',
    '//cdn.example/b.ts',
    'http://plain.example/c.ts',
    'd.ts',
    '',
  ].join('\n')

  it('keeps what is relative, and has every https address dressed', () => {
    expect(proxiedPlaylist(playlist, 'https:').split('\n')).toEqual([
      '#EXTM3U',
      '#EXT-X-KEY:METHOD=AES-128,URI="http://keys.example.tls.invalid:443/k?a=1,2",IV=0x1',
      '#EXT-X-MAP:URI="init.mp4"',
      '#EXTINF:2,https://a title that is not an address',
      'http://cdn.example.tls.invalid:443/a.ts',
      'http://cdn.example.tls.invalid:443/b.ts',
      'http://plain.example/c.ts',
      'd.ts',
      '',
    ])
  })

  it('of a plain server leaves what has no scheme plain', () => {
    expect(proxiedPlaylist('//cdn.example/b.ts', 'http:')).toBe('//cdn.example/b.ts')
  })

  it('is known by its first line', () => {
    expect(isPlaylist(Buffer.from('#EXTM3U\n'))).toBe(true)
    expect(isPlaylist(Buffer.from('#EXT'))).toBe(false)
    expect(isPlaylist(Buffer.from('\x47\x40 #EXTM3U'))).toBe(false)
  })
})
