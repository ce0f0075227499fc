import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPlaylist, rewritePlaylist } from './rewrite-playlist.ts'

const BASE = new URL('https://cdn.example/live/room/index.m3u8?token=t')
const rewrite = async (...lines: string[]): Promise<string[]> => {
  const written = await rewritePlaylist(lines.join('\n'), BASE, (url, kind) =>
    url ? `/p/${kind}/${encodeURIComponent(url.href)}` : '/gone',
  )
  return (written ?? '').trimEnd().split('\n')
}
const own = (kind: string, url: string): string => `/p/${kind}/${encodeURIComponent(url)}`

describe('a playlist from elsewhere', () => {
  it('[SAFE-01] of thousands of addresses lets everything else go on in between', async () => {
    let turns = 0
    const turning = setInterval(() => turns++, 0)
    await rewritePlaylist('a\n'.repeat(10_000), BASE, (_, kind) => `/p/${kind}`)
    clearInterval(turning)
    expect(turns).toBeGreaterThan(5)
  })

  it('[SAFE-01] of endless lines is refused without holding anybody up', async () => {
    const attributes = (count: number) => `#EXT-X-KEY:${'A=1,'.repeat(count)}`
    const texts = [attributes(250_000), `#EXT-X-ODD:${'A=1,'.repeat(250_000)}`, 'a'.repeat(1_000_000)]
    for (const text of [...texts, '# '.repeat(500_000)]) {
      const since = performance.now()
      expect(await rewritePlaylist(`#EXTM3U\n${text}`, BASE, () => '/own')).toBeNull()
      // Fifty milliseconds, at five times that bound.
      expect(performance.now() - since).toBeLessThan(250)
    }
    expect(await rewritePlaylist(`${'x'.repeat(8_000)}.ts`, BASE, () => '/own')).toBe('#EXTM3U\n/own\n')
  })

  it('has a hundred attributes of a tag at most', async () => {
    const names = Array.from({ length: 101 }, (_, at) => `A${at}=1`)
    expect(await rewrite('#EXTM3U', `#EXT-X-KEY:${names.join(',')}`)).toEqual([
      '#EXTM3U',
      `#EXT-X-KEY:${names.slice(0, 100).join(',')}`,
    ])
  })

  it('has its segments at our address, wherever they lie', async () => {
    expect(
      await rewrite(
        '#EXTM3U',
        '#EXT-X-VERSION:3',
        '#EXT-X-MEDIA-SEQUENCE:12',
        '#EXTINF:4.000000,',
        'a.ts?x=1&y=2',
        '#EXTINF:4,Judul',
        '/b.ts',
        '#EXTINF:4,',
        '../c.ts',
        '#EXTINF:4,',
        '//other.example/d.ts',
        '#EXTINF:4,',
        'http://third.example:8080/e.ts',
      ),
    ).toEqual([
      '#EXTM3U',
      '#EXT-X-VERSION:3',
      '#EXT-X-MEDIA-SEQUENCE:12',
      '#EXTINF:4,',
      own('part', 'https://cdn.example/live/room/a.ts?x=1&y=2'),
      '#EXTINF:4,',
      own('part', 'https://cdn.example/b.ts'),
      '#EXTINF:4,',
      own('part', 'https://cdn.example/live/c.ts'),
      '#EXTINF:4,',
      own('part', 'https://other.example/d.ts'),
      '#EXTINF:4,',
      own('part', 'http://third.example:8080/e.ts'),
    ])
  })

  it.each([
    ['#EXT-X-KEY:METHOD=AES-128,URI="key.bin",IV=0x1f', 'part', 'key.bin'],
    ['#EXT-X-SESSION-KEY:METHOD=AES-128,URI="key.bin"', 'part', 'key.bin'],
    ['#EXT-X-MAP:URI="init.mp4",BYTERANGE="720@0"', 'part', 'init.mp4'],
    ['#EXT-X-PART:DURATION=0.33,URI="part.m4s",INDEPENDENT=YES', 'part', 'part.m4s'],
    ['#EXT-X-PRELOAD-HINT:TYPE=PART,URI="next.m4s"', 'part', 'next.m4s'],
    ['#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a,b",NAME="x=y",URI="audio.m3u8"', 'playlist', 'audio.m3u8'],
    ['#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="iframes.m3u8"', 'playlist', 'iframes.m3u8'],
    ['#EXT-X-RENDITION-REPORT:URI="other.m3u8",LAST-MSN=3', 'playlist', 'other.m3u8'],
  ])('has the address in %s at ours, and the rest of the tag as it was', async (line, kind, name) => {
    const address = own(kind, `https://cdn.example/live/room/${name}`)
    expect(await rewrite('#EXTM3U', line)).toEqual(['#EXTM3U', line.replace(`"${name}"`, `"${address}"`)])
  })

  it('has variants that are playlists again', async () => {
    expect(
      await rewrite('#EXTM3U', '#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1,mp4a"', 'low/index.m3u8', 'rest.ts'),
    ).toEqual([
      '#EXTM3U',
      '#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1,mp4a"',
      own('playlist', 'https://cdn.example/live/room/low/index.m3u8'),
      own('part', 'https://cdn.example/live/room/rest.ts'),
    ])
  })

  it('has its variables put in', async () => {
    const [, key, segment] = await rewrite(
      '#EXTM3U',
      '#EXT-X-DEFINE:NAME="host",VALUE="https://vars.example"',
      '#EXT-X-DEFINE:QUERYPARAM="token"',
      '#EXT-X-KEY:METHOD=AES-128,URI="{$host}/key?{$token}"',
      '{$host}/{$unknown}.ts',
    )
    expect(key).toContain(encodeURIComponent('https://vars.example/key?t'))
    expect(segment).toContain(encodeURIComponent('https://vars.example/'))
  })

  it.each([
    'file:///etc/passwd',
    'data:video/mp2t;base64,AAAA',
    'javascript:alert(1)',
    'skd://key',
    'https://a:b@x.example/',
    'http://',
  ])('does not lead to %s', async (address) => {
    expect(await rewrite('#EXTM3U', '#EXTINF:1,', address)).toEqual(['#EXTM3U', '#EXTINF:1,', '/gone'])
    expect((await rewrite('#EXTM3U', `#EXT-X-KEY:METHOD=AES-128,URI="${address}"`))[1]).toBe(
      '#EXT-X-KEY:METHOD=AES-128,URI="/gone"',
    )
  })

  it('leaves out what it does not know: there may be an address in it', async () => {
    expect(
      await rewrite(
        '#EXTM3U http://x.example',
        '# a comment http://x.example',
        '#EXT-X-PREFETCH:http://x.example/next.ts',
        '#EXT-X-DATERANGE:ID="1",X-ASSET-URI="http://x.example/ad.m3u8"',
        '#EXT-X-CONTENT-STEERING:SERVER-URI="http://x.example"',
        '#EXT-X-START:TIME-OFFSET=http://x.example',
        '#EXT-X-ENDLIST',
      ),
    ).toEqual(['#EXTM3U', '#EXT-X-ENDLIST'])
  })

  it.each([
    ['#EXTINF:abc,', '#EXTINF:0,'],
    ['#EXTINF', '#EXTINF:0,'],
    ['#EXT-X-KEY', '#EXT-X-KEY:'],
    ['#EXT-X-KEY:METHOD=NONE', '#EXT-X-KEY:METHOD=NONE'],
    ['#EXT-X-KEY:METHOD=NONE, IV=1', '#EXT-X-KEY:METHOD=NONE,IV=1'],
    ['#EXT-X-KEY:METHOD=NONE;URI="x"', '#EXT-X-KEY:'],
    ['#EXT-X-MEDIA:A=1,?,URI="x"', '#EXT-X-MEDIA:A=1'],
    ['#EXT-X-BYTERANGE:75232@0', '#EXT-X-BYTERANGE:75232@0'],
    [
      '#EXT-X-PROGRAM-DATE-TIME:2026-02-19T14:54:23.031+08:00',
      '#EXT-X-PROGRAM-DATE-TIME:2026-02-19T14:54:23.031+08:00',
    ],
  ])('has %s as %s', async (given, written) => {
    expect(await rewrite('#EXTM3U', given)).toEqual(['#EXTM3U', written])
  })

  it('has variables that are empty where nothing is said of them', async () => {
    const [, segment] = await rewrite(
      '#EXTM3U',
      '#EXT-X-DEFINE:NAME="empty"',
      '#EXT-X-DEFINE:QUERYPARAM="absent"',
      'a{$empty}b{$absent}c{$other}.ts',
    )
    expect(segment).toBe(own('part', `https://cdn.example/live/room/abc${encodeURI('{$other}')}.ts`))
  })

  it('may end its lines and begin in any way', async () => {
    const text = '\uFEFF#EXTM3U\r\n\r\n#EXTINF:2.5,\r\n  a.ts  \r#EXT-X-ENDLIST'
    expect(await rewritePlaylist(text, BASE, () => '/own')).toBe('#EXTM3U\n#EXTINF:2.5,\n/own\n#EXT-X-ENDLIST\n')
    expect(isPlaylist(Buffer.from(text))).toBe(true)
    expect(isPlaylist(Buffer.from('<html>#EXTM3U'))).toBe(false)
    expect(isPlaylist(Buffer.from(''))).toBe(false)
  })

  it('may not name more than a playlist of any use does', async () => {
    expect(await rewritePlaylist('a\n'.repeat(10_001), BASE, () => '/own')).toBeNull()
    expect(await rewritePlaylist('a\n'.repeat(10_000), BASE, () => '/own')).not.toBeNull()
  })

  it('grows by its variables only so far, whatever they hold', async () => {
    const define = (name: string, value: string) => `#EXT-X-DEFINE:NAME="${name}",VALUE="${value}"`
    const doubling = (times: number) => [
      '#EXTM3U',
      define('a0', 'xxxxxxxx'),
      ...Array.from({ length: times }, (_, i) => define(`a${i + 1}`, `{$a${i}}{$a${i}}`)),
    ]
    const written = (...lines: string[]) => rewritePlaylist(lines.join('\n'), BASE, () => '/own')
    // 8 KB are put in, and no more.
    expect(await written(...doubling(10), '{$a10}')).toBe('#EXTM3U\n/own\n')
    expect(await written(...doubling(11))).toBeNull()
    // Doubled so often, it would fill no memory of this world.
    expect(await written(...doubling(1_000))).toBeNull()
    expect(await written(...doubling(10), '{$a0}'.repeat(1_025))).toBeNull()
    // Also where nothing of it is passed on.
    expect(await written(...doubling(10), ...Array(600).fill('# {$a10}'))).toBeNull()
    expect(await written(...doubling(10), ...Array(400).fill('# {$a10}'))).toBe('#EXTM3U\n')
  })

  it('has so many lines and so many characters at most', async () => {
    expect(await rewritePlaylist('\n'.repeat(50_000), BASE, () => '/own')).toBeNull()
    expect(await rewritePlaylist('\n'.repeat(49_999), BASE, () => '/own')).toBe('#EXTM3U\n')
    const long = `/${'x'.repeat(256 * 1024)}`
    expect(await rewritePlaylist('a\n'.repeat(8), BASE, () => long)).toBeNull()
    expect(await rewritePlaylist('a\n'.repeat(7), BASE, () => long)).not.toBeNull()
  })

  it('leaves no address of elsewhere in a place from which a player reads, whatever it says', async () => {
    const address = fc.oneof(
      fc.string().map((path) => `https://evil.example/${path.replace(/["\n\r]/g, '')}`),
      fc.constantFrom('//evil.example/x', '\\\\evil.example\\x', 'evil.ts', ' http://evil.example '),
    )
    const tag = fc.constantFrom(
      'KEY',
      'MAP',
      'MEDIA',
      'PART',
      'PRELOAD-HINT',
      'SESSION-KEY',
      'SESSION-DATA',
      'STREAM-INF',
      'ODD',
    )
    const line = fc.oneof(
      address,
      fc.tuple(tag, address).map(([name, url]) => `#EXT-X-${name}:METHOD=AES-128,URI="${url}"`),
      fc.tuple(tag, address).map(([name, url]) => `#EXT-X-${name}:A="b",URI=${url},URI="${url}`),
      fc.tuple(tag, address).map(([name, url]) => `#EXT-X-${name}:${url}`),
      fc.string(),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line), async (lines) => {
        const written = (await rewritePlaylist(['#EXTM3U', ...lines].join('\n'), BASE, () => '/own')) ?? ''
        for (const text of written.split('\n').filter(Boolean)) {
          if (text.startsWith('#')) for (const [, uri] of text.matchAll(/URI=([^,]*)/g)) expect(uri).toBe('"/own"')
          else expect(text).toBe('/own')
        }
      }),
    )
  })
})
