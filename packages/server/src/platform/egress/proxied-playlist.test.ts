import { describe, expect, it } from 'vitest'
import { fromProxied, isPlaylist, proxiedPlaylist } from './proxied-playlist.ts'

describe('an address that ffmpeg asks the proxy for', () => {
  it.each([
    ['http://a.example.tls.invalid:443/x.m3u8?t=1', 'https://a.example/x.m3u8?t=1'],
    ['http://a.example.tls.invalid:8443/', 'https://a.example:8443/'],
    ['http://127.0.0.1.tls.invalid:443/x', 'https://127.0.0.1/x'],
    ['http://a.example:80/x', 'http://a.example/x'],
  ])('%s is %s', (asked, meant) => {
    expect(fromProxied(new URL(asked)).href).toBe(meant)
  })
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
