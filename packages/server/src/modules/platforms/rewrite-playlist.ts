import { parseAddress } from '@siarin/contracts/parse-address'
import { nextStep } from '../../platform/small-steps.ts'
import type { PreviewKind } from './preview-tickets.ts'

/** Where an address of a playlist is to be had instead; null: one that is not to be had. */
export type ToPath = (url: URL | null, kind: PreviewKind) => string

export const PLAYLIST_MAX_BYTES = 1024 ** 2
/** A playlist of one megabyte could name half a million addresses, and each costs work. */
const ADDRESSES_MAX = 10_000
const LINES_MAX = 50_000
/** Lines hold signed addresses of a few kilobytes. What is longer is nothing that a player needs, and looking at it would hold up everybody. */
const LINE_MAX = 8 * 1024
const ATTRIBUTES_MAX = 100
/** An empty line is work as well. */
const TURN = { characters: 16 * 1024, perLine: 160 }
/** Variables may hold variables: without a bound a playlist of one kilobyte grows into gigabytes. */
const PUT_IN_MAX = { line: 8 * 1024, whole: 4 * 1024 ** 2 }
/** A film of four hours as tickets. A reader who takes it slowly, or not at all, has it in memory for as long. */
const WRITTEN_MAX = 2 * 1024 ** 2

const PLAYLIST_START = '#EXTM3U'
const BYTE_ORDER_MARK = /^\uFEFF/

/** Tags without an address. What is not known is left out: it may name one in a way of its own. */
const PLAIN_TAGS = new Set([
  '#EXT-X-VERSION',
  '#EXT-X-TARGETDURATION',
  '#EXT-X-MEDIA-SEQUENCE',
  '#EXT-X-DISCONTINUITY-SEQUENCE',
  '#EXT-X-DISCONTINUITY',
  '#EXT-X-ENDLIST',
  '#EXT-X-PLAYLIST-TYPE',
  '#EXT-X-I-FRAMES-ONLY',
  '#EXT-X-INDEPENDENT-SEGMENTS',
  '#EXT-X-START',
  '#EXT-X-BYTERANGE',
  '#EXT-X-PROGRAM-DATE-TIME',
  '#EXT-X-GAP',
  '#EXT-X-BITRATE',
  '#EXT-X-SERVER-CONTROL',
  '#EXT-X-PART-INF',
  '#EXT-X-SKIP',
])

/** Its address is the line that follows. */
const VARIANT_TAG = '#EXT-X-STREAM-INF'
/** Tags whose attribute URI is an address, and what lies there. */
const ADDRESS_TAGS = new Map<string, PreviewKind>([
  ['#EXT-X-KEY', 'part'],
  ['#EXT-X-SESSION-KEY', 'part'],
  ['#EXT-X-MAP', 'part'],
  ['#EXT-X-PART', 'part'],
  ['#EXT-X-PRELOAD-HINT', 'part'],
  [VARIANT_TAG, 'playlist'],
  ['#EXT-X-MEDIA', 'playlist'],
  ['#EXT-X-I-FRAME-STREAM-INF', 'playlist'],
  ['#EXT-X-RENDITION-REPORT', 'playlist'],
])
const PLAIN_VALUE = /^[\w.,:=@+-]*$/
const SEGMENT_TAG = '#EXTINF'
const DEFINE_TAG = '#EXT-X-DEFINE'

export const isPlaylist = (head: Uint8Array): boolean =>
  Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 16))
    .toString('utf8')
    .replace(BYTE_ORDER_MARK, '')
    .startsWith(PLAYLIST_START)

/**
 * Every address of a playlist made into one of ours; null where it is or becomes too long. `base`: where it was found. Thousands of addresses
 * take a second: everything else goes on in between.
 */
export async function rewritePlaylist(
  text: string,
  base: URL,
  toPath: ToPath,
  signal?: AbortSignal,
): Promise<string | null> {
  const variables = new Map<string, string>()
  let addresses = 0
  let putIn = 0
  let written = 0
  let next: PreviewKind = 'part'

  function replaced(uri: string, kind: PreviewKind): string {
    addresses += 1
    const url = parseAddress(uri, base)
    return toPath(url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : null, kind)
  }

  /** Null: too much for a line or for all of them. Counted while it is put in, so that too much is never made. */
  function withVariables(text: string): string | null {
    if (variables.size === 0) return text
    const most = Math.min(putIn + PUT_IN_MAX.line, PUT_IN_MAX.whole)
    const filled = text.replace(/\{\$([\w-]+)\}/g, (whole, name: string) => {
      const value = variables.get(name) ?? whole
      putIn += value.length
      return putIn > most ? '' : value
    })
    return putIn > most ? null : filled
  }

  function rewriteLine(line: string): string | null {
    if (!line.startsWith('#')) {
      const kind = next
      next = 'part'
      return replaced(line, kind)
    }
    const [tag = '', value = ''] = split(line)
    if (PLAIN_TAGS.has(tag)) return PLAIN_VALUE.test(value) ? line : null
    // What follows the comma is a title, for nobody.
    if (tag === SEGMENT_TAG) return `${tag}:${Number.parseFloat(value) || 0},`
    const attributes = parseAttributes(value)
    if (tag === DEFINE_TAG) define(variables, attributes, base)
    if (tag === VARIANT_TAG) next = 'playlist'
    const kind = ADDRESS_TAGS.get(tag)
    if (!kind) return null
    const uri = attributes.get('URI')
    if (uri) attributes.set('URI', `"${replaced(unquoted(uri), kind)}"`)
    return `${tag}:${writeAttributes(attributes)}`
  }

  const lines = [PLAYLIST_START]
  const found = text.replace(BYTE_ORDER_MARK, '').split(/\r\n|\n|\r/, LINES_MAX + 1)
  if (found.length > LINES_MAX) return null
  let left = 0
  for (const raw of found) {
    if (raw.length > LINE_MAX) return null
    if (left <= 0) {
      await nextStep(signal)
      left = TURN.characters
    }
    const line = withVariables(raw.trim())
    if (line === null) return null
    // A short line may hold a long variable.
    left -= Math.max(raw.length, line.length) + TURN.perLine
    const own = line === '' ? null : rewriteLine(line)
    if (own !== null) lines.push(own)
    written += own?.length ?? 0
    if (addresses > ADDRESSES_MAX || written > WRITTEN_MAX) return null
  }
  return `${lines.join('\n')}\n`
}

const split = (line: string): [string, string] => {
  const colon = line.indexOf(':')
  return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1)]
}

const ATTRIBUTE = /\s*([A-Z0-9-]+)=("[^"]*"|[^",]*)(?:,|$)/y

/** Values as they stand, with their quotes. It ends at what is no attribute, since nothing is guessed, and at what is one too many. */
function parseAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>()
  ATTRIBUTE.lastIndex = 0
  for (let found = ATTRIBUTE.exec(text); found; found = ATTRIBUTE.exec(text)) {
    attributes.set(found[1] ?? '', found[2] ?? '')
    if (ATTRIBUTE.lastIndex >= text.length || attributes.size >= ATTRIBUTES_MAX) break
  }
  return attributes
}

const writeAttributes = (attributes: ReadonlyMap<string, string>): string =>
  [...attributes].map(([name, value]) => `${name}=${value}`).join(',')

const unquoted = (value: string): string => value.replace(/^"|"$/g, '')

/** Only what the playlist itself or its address says: what another playlist has defined is not known here. */
function define(variables: Map<string, string>, attributes: ReadonlyMap<string, string>, base: URL): void {
  const name = attributes.get('NAME')
  const parameter = attributes.get('QUERYPARAM')
  if (name) variables.set(unquoted(name), unquoted(attributes.get('VALUE') ?? ''))
  if (parameter) variables.set(unquoted(parameter), base.searchParams.get(unquoted(parameter)) ?? '')
}
