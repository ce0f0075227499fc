import { describe, expect, it } from 'vitest'
import { fromProxied, isPlaylist, isTagged, linesIn, proxiedPlaylist, withoutPlaylist } from './proxied-playlist.ts'

describe('an address that ffmpeg asks the proxy for', () => {
  it.each([
    ['http://a.example.tls.invalid:443/x.m3u8?t=1', 'https://a.example/x.m3u8?t=1'],
    ['http://a.example.tls.invalid:8443/', 'https://a.example:8443/'],
    ['http://127.0.0.1.tls.invalid:443/x', 'https://127.0.0.1/x'],
    ['http://a.example:80/x', 'http://a.example/x'],
    ['http://a.example.tls.invalid/x', 'https://a.example/x'],
    ['http://a.tls.invalid.example/x', 'http://a.tls.invalid.example/x'],
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

  const REFUSED = 'https://refused.invalid/'

  it.each([
    'tcp://127.0.0.1:1/x',
    'TCP://127.0.0.1:1/x',
    ' \ttcp://0.0.0.0:4299?listen=1',
    'crypto+http://127.0.0.1/x',
    'crypto:http://127.0.0.1/x',
    'httpproxy://127.0.0.1/x',
    'http:tcp://127.0.0.1/x',
    'file:///etc/passwd',
    'data:text/plain,x',
    'subfile,,start,0,end,0,,:tcp://127.0.0.1:1/x',
  ])('lets go of an address of another kind: %s', (address) => {
    expect(proxiedPlaylist(address, 'http:')).toBe(REFUSED)
    expect(proxiedPlaylist(`#EXT-X-MEDIA:TYPE=AUDIO,URI="${address}"`, 'http:')).toBe(
      `#EXT-X-MEDIA:TYPE=AUDIO,URI="${REFUSED}"`,
    )
  })

  it.each(['a.ts?at=10:30', '/a:b.ts', './a:b.ts', '?x=tcp://a', '', 'HTTP://a.example/x'])('keeps %j', (address) => {
    expect(proxiedPlaylist(address, 'http:')).toBe(address)
  })

  it.each([
    ['without quotes', 'URI=tcp://a:1/x,B=1', `URI="${REFUSED}",B=1`],
    ['in small letters', 'uri="tcp://a:1/x"', `uri="${REFUSED}"`],
    ['with a quote that is left open', 'URI="tcp://a:1/x', `URI="${REFUSED}"`],
    ['behind a backslash', String.raw`URI="\tcp://a:1/x"`, `URI="${REFUSED}"`],
    [
      'behind a quote behind a backslash',
      String.raw`A="\",URI=",URI=tcp://a:1/x`,
      String.raw`A="\",URI=",URI="${REFUSED}"`,
    ],
    ['behind one that is none', 'A="URI=",B=/,URI=tcp://a:1/x', `A="URI=",B=/,URI="${REFUSED}"`],
    ['behind a quote within a value', 'A=b"c,URI=tcp://a:1/x', `A=b"c,URI="${REFUSED}"`],
    ['twice', 'URI="a",URI="tcp://a:1/x"', `URI="a",URI="${REFUSED}"`],
    ['with spaces', ', \tURI=tcp://a:1/x URI=b', `, \tURI="${REFUSED}" URI="b"`],
  ])('finds the address in a tag: %s', (_how, given, proxied) => {
    expect(proxiedPlaylist(`#EXT-X-MEDIA:${given}`, 'http:')).toBe(`#EXT-X-MEDIA:${proxied}`)
  })

  it('ends its lines where ffmpeg does', () => {
    expect(proxiedPlaylist('#a\rtcp://a:1/x\0tcp://b:1/x\r\n #EXT-X-MAP:URI=tcp://c:1/x', 'http:')).toBe(
      `#a\n${REFUSED}\n${REFUSED}\n#EXT-X-MAP:URI="${REFUSED}"`,
    )
  })

  it('has an end', () => {
    expect(() => proxiedPlaylist('//a\n'.repeat(20_000), 'https:')).toThrow('too many lines')
    expect(proxiedPlaylist('//a\n'.repeat(19_999), 'https:').split('\n')).toHaveLength(20_000)
  })

  it.each(['', 'a', 'a\nb\n', '\n\r\0', '\n'.repeat(19_999)])('has its lines counted, also empty ones', (text) => {
    expect(linesIn(Buffer.from(text))).toBe(proxiedPlaylist(text, 'http:').split('\n').length)
  })

  it('has lines as long as ffmpeg reads them, each counted from its own start', () => {
    const lines = proxiedPlaylist(`short\n${'a'.repeat(5_000)}\n${'b'.repeat(4_096)}\ntcp://a:1/x`, 'http:').split('\n')
    expect(lines.map((line) => line.length)).toEqual([5, 4_096, 4_096, REFUSED.length])
  })

  it.each([
    ['a quote', String.raw`URI="http://a\"b"`],
    ['a backslash', String.raw`URI="http://a\\b"`],
    ['a quote without quotes around it', 'URI=http://a"b'],
  ])('lets go of an address that holds %s', (_what, given) => {
    expect(proxiedPlaylist(`#EXT-X-MAP:${given}`, 'http:')).toBe(`#EXT-X-MAP:URI="${REFUSED}"`)
  })

  it('has tags without an address, as they are', () => {
    for (const tag of ['#EXT-X-ENDLIST', '#URI', '# a=b URI', '#EXT-X-X:A=b, c=https://d']) {
      expect(proxiedPlaylist(tag, 'https:')).toBe(tag)
    }
  })

  it('that hides behind a tag is not passed on', async () => {
    const passed = async (...chunks: string[]) => {
      const got: string[] = []
      const given = (async function* () {
        yield* chunks.map((chunk) => Buffer.from(chunk))
      })()
      for await (const chunk of withoutPlaylist(given)) got.push(chunk.toString())
      return got
    }
    expect(await passed('ID3', 'sound', '#EXT', 'INF')).toEqual(['ID3', 'sound', '#EXT', 'INF'])
    await expect(passed('ID3', '..#EX', 'T', 'M3U\n')).rejects.toThrow('hides')
    await expect(passed('ID3', ...'#EXTM3U')).rejects.toThrow('hides')
    await expect(passed('ID3#EXTM3U')).rejects.toThrow('hides')
    expect(await passed('ID3', '#EXT', '', '.', 'M3U')).toHaveLength(5)
  })

  it('may hide behind what begins with a tag, and behind nothing else', () => {
    expect(isTagged(Buffer.from('ID3\x04'))).toBe(true)
    expect(isTagged(Buffer.from('ID'))).toBe(false)
    expect(isTagged(Buffer.from('.ID3'))).toBe(false)
  })

  it('is known by its first line', () => {
    expect(isPlaylist(Buffer.from('#EXTM3U\n'))).toBe(true)
    expect(isPlaylist(Buffer.from('#EXT'))).toBe(false)
    expect(isPlaylist(Buffer.from('\x47\x40 #EXTM3U'))).toBe(false)
  })
})
