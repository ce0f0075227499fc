import { describe, expect, it } from 'vitest'
import { readPlaylist, soleVariant } from './playlist.ts'

const media = (...lines: string[]): string => ['#EXTM3U', '#EXT-X-TARGETDURATION:2', ...lines, ''].join('\n')

describe('a line of a playlist', () => {
  const master = (attributes: string) => `#EXTM3U\n#EXT-X-STREAM-INF:${attributes}\na.m3u8\n`

  it('is looked at for a hundred attributes, and no further', () => {
    expect(readPlaylist(master(`${'"",'.repeat(99)}AUDIO="a"`))).toMatchObject({ soundApart: true })
    expect(readPlaylist(master(`${'"",'.repeat(100)}AUDIO="a"`))).toMatchObject({ soundApart: false })
  })

  it('[SAFE-01] of thousands of quotes holds nobody up', () => {
    const line = `#EXT-X-STREAM-INF:${'"'.repeat(4_070)}\na\n`
    const text = `#EXTM3U\n${line.repeat(128)}`
    const since = performance.now()
    for (let lists = 0; lists < 16; lists++) expect(readPlaylist(text)?.kind).toBe('master')
    // Fifty milliseconds, at five times that bound.
    expect(performance.now() - since).toBeLessThan(250)
  })
})

describe('a media playlist', () => {
  it('has another mark as soon as something is added, and the same while nothing is', () => {
    const before = readPlaylist(media('#EXT-X-MEDIA-SEQUENCE:7', '#EXTINF:2,', 'a7.ts', '#EXTINF:2,', 'a8.ts'))
    const same = readPlaylist(media('#EXT-X-MEDIA-SEQUENCE:7', '#EXTINF:2.0,', 'a7.ts', '', '#EXTINF:2,', 'a8.ts'))
    const later = readPlaylist(media('#EXT-X-MEDIA-SEQUENCE:8', '#EXTINF:2,', 'a8.ts', '#EXTINF:2,', 'a9.ts'))
    expect(same).toEqual(before)
    expect(later).not.toEqual(before)
    expect(before).toMatchObject({ kind: 'media', ended: false })
  })

  it('whose segments all have one name advances by its number', () => {
    const at = (sequence: number) => readPlaylist(media(`#EXT-X-MEDIA-SEQUENCE:${sequence}`, '#EXTINF:2,', 'live.ts'))
    expect(at(1)).not.toEqual(at(2))
  })

  it('says that it has ended', () => {
    expect(readPlaylist(media('#EXTINF:2,', 'a.ts', '#EXT-X-ENDLIST'))).toMatchObject({ ended: true })
  })

  it('may have Windows line ends and a byte order mark', () => {
    const text = `\uFEFF${media('#EXTINF:2,', 'a.ts', '#EXT-X-ENDLIST').replaceAll('\n', '\r\n')}`
    expect(readPlaylist(text)).toMatchObject({ kind: 'media', ended: true, mark: ' 1 a.ts' })
  })
})

it('a playlist may be written with spaces, and keeps an odd character within an address', () => {
  expect(readPlaylist(' #EXTM3U \n #EXTINF:2,\n  a.ts \n')).toMatchObject({ mark: ' 1 a.ts' })
  expect(readPlaylist(media('#EXTINF:2,', 'a\uFEFF.ts'))).toMatchObject({ mark: ' 1 a\uFEFF.ts' })
})

describe('a master playlist', () => {
  const variant = (attributes: string, uri: string): string[] => [`#EXT-X-STREAM-INF:${attributes}`, uri]

  it('gives the best variant up to 1080 lines', () => {
    const text = media(
      ...variant('BANDWIDTH=800000,RESOLUTION=640x360,CODECS="avc1.4d401e,mp4a.40.2"', 'low.m3u8'),
      ...variant('BANDWIDTH=9000000,RESOLUTION=3840x2160', 'huge.m3u8'),
      ...variant('BANDWIDTH=4000000,RESOLUTION=1920x1080', 'high.m3u8'),
    )
    expect(readPlaylist(text)).toEqual({ kind: 'master', variant: 'high.m3u8', soundApart: false })
  })

  it('gives the one there is, however large', () => {
    const text = media(...variant('BANDWIDTH=9000000,RESOLUTION=3840x2160', 'huge.m3u8'))
    expect(readPlaylist(text)).toMatchObject({ variant: 'huge.m3u8' })
  })

  it('gives the best that a smaller plan allows, to the line', () => {
    const text = media(
      ...variant('BANDWIDTH=4000000,RESOLUTION=1280x721', 'above.m3u8'),
      ...variant('BANDWIDTH=1000000,RESOLUTION=1280x720', 'within.m3u8'),
      ...variant('BANDWIDTH=500000', 'untold.m3u8'),
    )
    expect(readPlaylist(text, 720)).toMatchObject({ variant: 'within.m3u8' })
    expect(readPlaylist(text, 719)).toMatchObject({ variant: 'untold.m3u8' })
  })

  it('takes a variant that tells no bandwidth for the least, and its address from the next line that is one', () => {
    const text = media(
      '#EXT-X-STREAM-INF:CODECS="a"',
      'untold.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=1',
      '',
      '# x',
      'one.m3u8',
    )
    expect(readPlaylist(text)).toEqual({ kind: 'master', variant: 'one.m3u8', soundApart: false })
  })

  it('tells where the sound of the best variant lies apart', () => {
    const sound = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="x",URI="sound.m3u8"'
    const picture = variant('BANDWIDTH=2,AUDIO="a"', 'picture.m3u8')
    const text = media(sound, ...variant('BANDWIDTH=1', 'small.m3u8'), ...picture)
    expect(readPlaylist(text)).toEqual({ kind: 'master', variant: 'picture.m3u8', soundApart: true })
    expect(readPlaylist(text.replaceAll('BANDWIDTH=1', 'BANDWIDTH=3'))).toMatchObject({ soundApart: false })
  })
})

describe('[SAFE-07] of a master playlist is left', () => {
  const sound = (group: string, name: string, more = '') =>
    `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="${group}",NAME="${name}"${more},URI="${name}.m3u8"`
  const variant = (lines: number, group: string) => [
    `#EXT-X-STREAM-INF:BANDWIDTH=${lines}000,RESOLUTION=1x${lines},AUDIO="${group}"`,
    `${lines}.m3u8`,
  ]
  const left = (given: string[], maxHeight?: number) => soleVariant(['#EXTM3U', ...given], maxHeight)
  const all = [
    sound('low', 'poor'),
    '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="good",NAME="words",URI="words.m3u8"',
    sound('good', 'comment'),
    sound('good', 'main', ',DEFAULT=YES'),
    ...[360, 2160, 1080, 720].flatMap((lines) => variant(lines, lines < 720 ? 'low' : 'good')),
    '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=9,URI="frames.m3u8"',
  ]

  it('the best variant with its sound, and nothing else', () => {
    const main = sound('good', 'main', ',DEFAULT=YES')
    expect(left(all)).toEqual(['#EXTM3U', main, ...variant(1080, 'good'), ''])
    expect(left(all, 720)).toEqual(['#EXTM3U', main, ...variant(720, 'good'), ''])
    expect(left(all, 480)).toEqual(['#EXTM3U', sound('low', 'poor'), ...variant(360, 'low'), ''])
  })

  it('the first sound where none is the usual one, and none where there is none', () => {
    const one = variant(720, 'a')
    expect(left([sound('a', 'first'), sound('a', 'second'), ...one])).toEqual([
      '#EXTM3U',
      sound('a', 'first'),
      ...one,
      '',
    ])
    expect(left([sound('b', 'other'), ...one])).toEqual(['#EXTM3U', ...one, ''])
    const plain = ['#EXT-X-STREAM-INF:BANDWIDTH=1', 'plain.m3u8']
    expect(left([sound('b', 'other'), ...plain])).toEqual(['#EXTM3U', ...plain, ''])
  })

  it('nothing where it is none', () => {
    expect(left(['#EXTINF:2,', 'a.ts'])).toBeNull()
    expect(left([sound('a', 'alone')])).toBeNull()
  })
})

describe('half a megabyte from a stranger holds nobody up', () => {
  /** Fifty milliseconds, at five times that bound. */
  const MOST_MS = 250

  it.each([
    ['a name without an end', `#EXT-X-STREAM-INF:${'A'.repeat(500_000)}\na\n`],
    ['a name without an end after a comma', `#EXT-X-STREAM-INF:,${'A'.repeat(500_000)}\na\n`],
    ['spaces', `#EXT-X-STREAM-INF:${', '.repeat(100)}${' '.repeat(500_000)}x\na\n`],
    ['quotes', `#EXT-X-STREAM-INF:${'"'.repeat(499_999)}\na\n`],
    ['attributes', `#EXT-X-STREAM-INF:${'AUDIO=,'.repeat(70_000)}\na\n`],
    ['variants', '#EXT-X-STREAM-INF:AUDIO=\na\n'.repeat(9_000)],
    ['variants without addresses', '#EXT-X-STREAM-INF:\n'.repeat(25_000)],
    ['empty lines', '\n'.repeat(500_000)],
  ])('of %s', (_, text) => {
    const begun = performance.now()
    readPlaylist(`#EXTM3U\n${text}`)
    expect(performance.now() - begun).toBeLessThan(MOST_MS)
  })
})

it('a playlist with more lines than ffmpeg would get is none', () => {
  const lines = (count: number) => `#EXTM3U\n${'#\n'.repeat(count - 3)}#EXTINF:2,\na.ts`
  expect(readPlaylist(lines(20_000))).not.toBeNull()
  expect(readPlaylist(lines(20_001))).toBeNull()
})

it('what stands within quotes is no attribute', () => {
  const text = media('#EXT-X-STREAM-INF:NAME="a,AUDIO=b", BANDWIDTH=5', 'one', '#EXT-X-STREAM-INF:BANDWIDTH=4', 'two')
  expect(readPlaylist(text)).toMatchObject({ variant: 'one' })
})

it.each([
  ['a page', '<html><body>#EXTM3U</body></html>'],
  ['nothing', ''],
  ['an empty playlist', '#EXTM3U\n#EXT-X-TARGETDURATION:2\n'],
  ['a variant without an address', '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n'],
])('%s is no source', (_, text) => {
  expect(readPlaylist(text)).toBeNull()
})
