/** What an HLS playlist tells about a source. */
export type Playlist =
  | {
      readonly kind: 'master'
      /** The variant to relay, as the playlist spells it; null where the sound lies apart and ffmpeg has to choose both. */
      readonly variant: string | null
      /** Any one of them, to see whether it advances. */
      readonly first: string
    }
  | {
      readonly kind: 'media'
      /** Nothing will be added to it. */
      readonly ended: boolean
      /** Changes whenever something is added. */
      readonly mark: string
    }

/** What a variant says of itself, as far as we ask. The text is a stranger's: no part of it is looked at again for each of its letters. */
const ATTRIBUTE = /"[^"]*"|(?:^|,)\s*(BANDWIDTH|RESOLUTION|AUDIO)=("[^"]*"|[^,]*)/g
/** What ffmpeg gets of a playlist in the end has the same bounds, see proxied-playlist. */
const MOST_LINES = 20_000
const LONGEST_LINE = 4_096
const VARIANT = '#EXT-X-STREAM-INF:'

/** Picks the best of several variants, up to `maxHeight` lines. Null: this is no playlist, or one without anything in it. */
export function readPlaylist(text: string, maxHeight = 1080): Playlist | null {
  const found = text.replace(/^\uFEFF/, '').split('\n', MOST_LINES + 1)
  if (found.length > MOST_LINES) return null
  const lines = found.map((line) => line.slice(0, LONGEST_LINE).trim())
  if (!lines[0]?.startsWith('#EXTM3U')) return null
  const variants = variantsIn(lines)
  const [first] = variants
  if (first) return { kind: 'master', variant: bestOf(variants, maxHeight), first: first.uri }
  const uris = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const last = uris.at(-1)
  if (last === undefined) return null
  const sequence = lines.find((line) => line.startsWith('#EXT-X-MEDIA-SEQUENCE:')) ?? ''
  return { kind: 'media', ended: lines.includes('#EXT-X-ENDLIST'), mark: `${sequence} ${uris.length} ${last}` }
}

interface Variant {
  readonly uri: string
  readonly bandwidth: number
  readonly height: number
  readonly soundApart: boolean
}

/** One pass: a playlist may be long, and somebody else's. */
function variantsIn(lines: readonly string[]): Variant[] {
  const variants: Variant[] = []
  let described: string | null = null
  for (const line of lines) {
    if (line.startsWith(VARIANT)) described = line.slice(VARIANT.length)
    else if (described !== null && line !== '' && !line.startsWith('#')) {
      variants.push(toVariant(described, line))
      described = null
    }
  }
  return variants
}

function toVariant(described: string, uri: string): Variant {
  const attributes = new Map([...described.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, value]))
  return {
    uri,
    bandwidth: Number(attributes.get('BANDWIDTH')) || 0,
    height: Number(attributes.get('RESOLUTION')?.split('x')[1]) || 0,
    soundApart: attributes.has('AUDIO'),
  }
}

function bestOf(variants: readonly Variant[], maxHeight: number): string | null {
  if (variants.some(({ soundApart }) => soundApart)) return null
  const fitting = variants.filter(({ height }) => height <= maxHeight)
  const [best] = (fitting.length > 0 ? fitting : variants).toSorted((a, b) => b.bandwidth - a.bandwidth)
  return best?.uri ?? null
}
