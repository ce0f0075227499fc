/** What an HLS playlist tells about a source. */
export type Playlist =
  | {
      readonly kind: 'master'
      /** The variant to relay, as the playlist spells it. */
      readonly variant: string
      /** ffmpeg finds both of them only by way of the playlist. */
      readonly soundApart: boolean
    }
  | {
      readonly kind: 'media'
      /** Nothing will be added to it. */
      readonly ended: boolean
      /** Changes whenever something is added. */
      readonly mark: string
    }

/** What a variant or a sound says of itself, as far as we ask. The text is a stranger's: no part of it is looked at again for each of its letters. */
const ATTRIBUTE = /"[^"]*"|(?:^|,)\s*(BANDWIDTH|RESOLUTION|AUDIO|TYPE|GROUP-ID|DEFAULT)=("[^"]*"|[^,]*)/g
/** What ffmpeg gets of a playlist in the end has the same bounds, see proxied-playlist. */
const MOST_LINES = 20_000
const LONGEST_LINE = 4_096
const VARIANT = '#EXT-X-STREAM-INF:'
const MEDIA = '#EXT-X-MEDIA:'
/** A line has no more. What stands between attributes counts too, as it is looked at like them. */
const ATTRIBUTES_MAX = 100
const MOST_HEIGHT = 1080

/** Picks the best of several variants, up to `maxHeight` lines. Null: this is no playlist, or one without anything in it. */
export function readPlaylist(text: string, maxHeight?: number): Playlist | null {
  const found = text.replace(/^\uFEFF/, '').split('\n', MOST_LINES + 1)
  if (found.length > MOST_LINES) return null
  const lines = found.map((line) => line.slice(0, LONGEST_LINE).trim())
  if (!lines[0]?.startsWith('#EXTM3U')) return null
  const best = bestOf(variantsIn(lines), maxHeight)
  if (best) return { kind: 'master', variant: best.uri, soundApart: best.sound !== null }
  const uris = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const last = uris.at(-1)
  if (last === undefined) return null
  const sequence = lines.find((line) => line.startsWith('#EXT-X-MEDIA-SEQUENCE:')) ?? ''
  return { kind: 'media', ended: lines.includes('#EXT-X-ENDLIST'), mark: `${sequence} ${uris.length} ${last}` }
}

/**
 * A master playlist with the best variant and its sound alone: ffmpeg opens all that it finds in one, each with two connections, before it sends
 * anything. Null: these lines are none.
 */
export function soleVariant(lines: readonly string[], maxHeight?: number): string[] | null {
  const best = bestOf(variantsIn(lines), maxHeight)
  if (!best) return null
  const sounds = best.sound === null ? [] : soundsIn(lines, best.sound)
  const sound = sounds.find(({ isDefault }) => isDefault) ?? sounds[0]
  return ['#EXTM3U', ...(sound ? [sound.line] : []), best.line, best.uri, '']
}

interface Variant {
  /** Where it is described. */
  readonly line: string
  readonly uri: string
  readonly bandwidth: number
  readonly height: number
  /** The group of its sounds; null: none lies apart. */
  readonly sound: string | null
}

/** One pass: a playlist may be long, and somebody else's. */
function variantsIn(lines: readonly string[]): Variant[] {
  const variants: Variant[] = []
  let described: string | null = null
  for (const line of lines) {
    if (line.startsWith(VARIANT)) described = line
    else if (described !== null && line !== '' && !line.startsWith('#')) {
      variants.push(toVariant(described, line))
      described = null
    }
  }
  return variants
}

function soundsIn(lines: readonly string[], group: string): { line: string; isDefault: boolean }[] {
  return lines
    .filter((line) => line.startsWith(MEDIA))
    .map((line) => ({ line, says: attributesOf(line.slice(MEDIA.length)) }))
    .filter(({ says }) => says.get('TYPE') === 'AUDIO' && unquoted(says.get('GROUP-ID')) === unquoted(group))
    .map(({ line, says }) => ({ line, isDefault: says.get('DEFAULT') === 'YES' }))
}

function toVariant(line: string, uri: string): Variant {
  const attributes = attributesOf(line.slice(VARIANT.length))
  return {
    line,
    uri,
    bandwidth: Number(attributes.get('BANDWIDTH')) || 0,
    height: Number(attributes.get('RESOLUTION')?.split('x')[1]) || 0,
    sound: attributes.get('AUDIO') ?? null,
  }
}

const unquoted = (value = ''): string => value.replaceAll('"', '')

function attributesOf(described: string): Map<string, string> {
  const attributes = new Map<string, string>()
  let left = ATTRIBUTES_MAX
  for (const [, name = '', value = ''] of described.matchAll(ATTRIBUTE)) {
    attributes.set(name, value)
    if (--left === 0) break
  }
  return attributes
}

function bestOf(variants: readonly Variant[], maxHeight = MOST_HEIGHT): Variant | null {
  const fitting = variants.filter(({ height }) => height <= maxHeight)
  const [best] = (fitting.length > 0 ? fitting : variants).toSorted((a, b) => b.bandwidth - a.bandwidth)
  return best ?? null
}
