import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rtmpTarget, targetAt } from './rtmp-target.ts'

const YOUTUBE = 'rtmps://a.rtmps.youtube.com:443/live2/'

/** The result with its URL revealed, so that it can be compared whole. */
function read(input: string, ingestBase: string | null = null) {
  const target = rtmpTarget(input, ingestBase)
  return target.ok ? { url: target.url.reveal(), host: target.host, port: target.port } : target.fault
}

describe('a bare stream key', () => {
  it('goes behind the ingest address of its platform', () => {
    expect(read('abcd-1234', YOUTUBE)).toEqual({
      url: 'rtmps://a.rtmps.youtube.com:443/live2/abcd-1234',
      host: 'a.rtmps.youtube.com',
      port: 443,
    })
  })

  it('gets exactly one slash before it', () => {
    expect(read('abcd', 'rtmp://h/app')).toMatchObject({ url: 'rtmp://h/app/abcd' })
    expect(read('abcd', 'rtmp://h/app/')).toMatchObject({ url: 'rtmp://h/app/abcd' })
  })

  it.each(['FB-1-0-Ab?s_bl=1&s_psm=1&a=AbzQ', 'a.b_c~d+e%20f:g@h!$*(),;=', "it's", 'a/b', 'rtmp:x', '-dash'])(
    'keeps its odd characters: %s',
    (key) => {
      expect(read(key, 'rtmp://h/app')).toMatchObject({ url: `rtmp://h/app/${key}` })
    },
  )

  it('cannot be used where the platform has no address of its own', () => {
    expect(read('abcd-1234')).toBe('whole-url-required')
    expect(read('')).toBe('whole-url-required')
    expect(read('https://example.com/live')).toBe('whole-url-required')
  })

  it.each([
    ['', 'empty'],
    ['/abcd', 'a slash at its start'],
    ['//evil.example/abcd', 'slashes at its start'],
    ['?abcd', 'only a query'],
    ['abcd/', 'an empty last part'],
    ['http://h/abcd', 'an address of another kind'],
    ['x?u=rtmp://h/abcd', 'an address inside'],
    ['ab cd', 'a space'],
    ['abcd ', 'a space at its end'],
    ['abcd\n', 'a line break'],
    ['abcd app=other', 'an option for librtmp'],
    ['ab\u00a0cd', 'a no-break space'],
    ['ab\0cd', 'a NUL'],
    ['ab\u0085cd', 'a control character'],
    ['ab#cd', 'a fragment'],
    ['ab"cd', 'a quotation mark'],
    ['ab\\cd', 'a backslash'],
    ['kunci-é', 'a letter outside ASCII'],
  ])('is refused: %j (%s)', (key) => {
    expect(read(key, YOUTUBE)).toBe('invalid')
  })
})

describe('a whole URL', () => {
  it.each([
    ['rtmp://h.example/app/key', 'h.example', 1935],
    ['rtmps://h.example/app/key', 'h.example', 443],
    ['rtmp://H.Example:1936/App/Key?a=b&c=d', 'h.example', 1936],
    ['rtmp://127.0.0.1/key', '127.0.0.1', 1935],
    ['rtmp://[2001:DB8::1]:1936/app/key', '2001:db8::1', 1936],
    ['rtmp://my_host-1/app/key', 'my_host-1', 1935],
    ['rtmp://h/app/key@home', 'h', 1935],
    ['rtmp://b.rtmp.youtube.com/live2?backup=1/key', 'b.rtmp.youtube.com', 1935],
  ])('is taken as it is: %s', (url, host, port) => {
    expect(read(url)).toEqual({ url, host, port })
    expect(read(url, YOUTUBE)).toEqual({ url, host, port })
  })

  it('gets its scheme in lower case, as ffmpeg knows no other', () => {
    expect(read('RTMPS://h/App/Key')).toEqual({ url: 'rtmps://h/App/Key', host: 'h', port: 443 })
  })

  it.each([
    ['rtmp://', 'nothing behind the scheme'],
    ['rtmp:///app/key', 'no host'],
    ['rtmp://:1935/app/key', 'no host but a port'],
    ['rtmp://h.example', 'no path'],
    ['rtmp://h.example/', 'an empty path'],
    ['rtmp://h.example?key', 'only a query'],
    ['rtmp://h.example/live2/', 'no key'],
    ['rtmp://user:pass@h/app/key', 'credentials'],
    ['rtmp://user@h/app/key', 'a user'],
    ['rtmp://h:0/app/key', 'port 0'],
    ['rtmp://h:65536/app/key', 'a port that does not exist'],
    ['rtmp://h:/app/key', 'an empty port'],
    ['rtmp://h:19x5/app/key', 'a port that is no number'],
    ["rtmp://h'/app/key", 'a quote in the host'],
    ['rtmp://h\\@evil/app/key', 'a backslash in the host'],
    ['rtmp://h%2eexample/app/key', 'an escape in the host'],
    ['rtmp://-h/app/key', 'a host that starts with a dash'],
    ['rtmp://h..example/app/key', 'an empty label'],
    ['rtmp://[fe80::1%25eth0]/app/key', 'a zone'],
    ['rtmp://h/app/key live=1', 'options for librtmp'],
    ['rtmp://h/app/key\tapp=x', 'a tab'],
    ['rtmp://h/app/key#part', 'a fragment'],
    [' rtmp://h/app/key', 'a space before it'],
    [`rtmp://h/app/${'k'.repeat(1000)}`, 'more than ffmpeg can hold'],
  ])('is refused: %s (%s)', (url) => {
    expect(read(url, YOUTUBE)).toBe('invalid')
    expect(read(url)).toBe(url.startsWith(' ') ? 'whole-url-required' : 'invalid')
  })

  it.each(['rtmpt://h/app/key', 'http://h/app/key', 'file:///etc/passwd', 'srt://h:1/x', 'tcp://h/app/key'])(
    'of another scheme is refused: %s',
    (url) => {
      expect(read(url, YOUTUBE)).toBe('invalid')
      expect(read(url)).toBe('whole-url-required')
    },
  )
})

it('accepts nothing that ffmpeg could read as more than one address', () => {
  const part = fc.oneof(
    fc.constantFrom(
      'rtmp://',
      'rtmps://',
      'h',
      '/app',
      '/key',
      ' ',
      '@',
      ':',
      '?',
      '#',
      '\\',
      '"',
      '\n',
      '//',
      '[',
      ']',
    ),
    fc.string({ maxLength: 3 }),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom(null, YOUTUBE), (parts, ingestBase) => {
      const target = rtmpTarget(parts.join(''), ingestBase)
      if (!target.ok) return
      // Node's own parser is the second opinion.
      const url = new URL(target.url.reveal())
      expect(target.url.reveal()).toMatch(/^rtmps?:\/\/[^\s@\\"'#/?]+\/[^\s\\"#]*[^\s\\"#/]$/)
      expect(url.hostname.replace(/^\[|\]$/g, '').toLowerCase()).toBe(target.host)
      expect([url.username, url.password, url.hash]).toEqual(['', '', ''])
    }),
    { numRuns: 3000 },
  )
})

describe('a target by an address behind its name', () => {
  it.each([
    [
      'rtmp://a.example/live/key?x=1&y=2',
      '8.8.8.8',
      'rtmp://8.8.8.8:1935/live/key?x=1&y=2',
      'rtmp://a.example:1935/live',
    ],
    ['rtmp://a.example:99/app/inst/key', '2606::1', 'rtmp://[2606::1]:99/app/inst/key', 'rtmp://a.example:99/app/inst'],
    ['rtmp://a.example/app/mp4:dir/key', '8.8.8.8', 'rtmp://8.8.8.8:1935/app/mp4:dir/key', 'rtmp://a.example:1935/app'],
    [
      'rtmp://a.example/live2?backup=1/key',
      '8.8.8.8',
      'rtmp://8.8.8.8:1935/live2?backup=1/key',
      'rtmp://a.example:1935/live2?backup=1',
    ],
    ['rtmp://a.example/key', '8.8.8.8', 'rtmp://8.8.8.8:1935/key', 'rtmp://a.example:1935/key'],
    ['rtmp://[2606:0::1]/live/key', '2606::1', 'rtmp://[2606::1]:1935/live/key', 'rtmp://[2606:0::1]:1935/live'],
    ['rtmp://0x8.8.8.8/live/key', '8.8.8.8', 'rtmp://8.8.8.8:1935/live/key', 'rtmp://0x8.8.8.8:1935/live'],
  ])('%s at %s', (url, address, pinned, tcUrl) => {
    expect(targetAt(url, address)).toEqual({ url: pinned, tcUrl })
  })

  it.each([
    ['rtmps://a.example/live/key', null],
    ['rtmp://8.8.8.8/live/key', '8.8.8.8'],
    ['rtmp://[2606::1]:99/live/key', '2606::1'],
  ])('%s at %s is left as it is', (url, address) => {
    expect(targetAt(url, address)).toEqual({ url, tcUrl: null })
  })
})
