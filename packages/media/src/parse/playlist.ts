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

const ATTRIBUTE = /([A-Z0-9-]+)=("[^"]*"|[^,]*)/g

/** Picks the best of several variants, up to `maxHeight` lines. Null: this is no playlist, or one without anything in it. */
export function readPlaylist(text: string, maxHeight = 1080): Playlist | null {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
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
    if (line.startsWith('#EXT-X-STREAM-INF:')) described = line
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
