import { soleVariant } from '@siarin/media/parse/playlist'
import { TLS_MARK, toProxied } from '@siarin/media/proxied-address'

/** What ffmpeg asked the proxy for, as it is on the internet. */
export function fromProxied(url: URL): URL {
  if (!url.hostname.endsWith(TLS_MARK)) return url
  const name = url.hostname.slice(0, -TLS_MARK.length)
  return new URL(`https://${name}:${url.port || '443'}${url.pathname}${url.search}`)
}

const PLAYLIST_START = '#EXTM3U'

/** As many bytes as it takes to tell. */
export const PLAYLIST_SIGN_BYTES = PLAYLIST_START.length

/** By the very sign by which ffmpeg knows one. */
export const isPlaylist = (start: Buffer): boolean =>
  start.subarray(0, PLAYLIST_SIGN_BYTES).toString('latin1') === PLAYLIST_START

/** ffmpeg skips such tags before it looks what it has: a playlist may lie behind them. */
export const isTagged = (start: Buffer): boolean => start.subarray(0, 3).toString('latin1') === 'ID3'

/** Passes on what begins with a tag, as sound does, and breaks off at a playlist that hides behind it. */
export async function* withoutPlaylist(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let before: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const seen = Buffer.concat([before, chunk])
    if (seen.includes(PLAYLIST_START, 0, 'latin1')) throw new Error('a playlist hides behind a tag')
    before = Buffer.from(seen.subarray(-(PLAYLIST_SIGN_BYTES - 1)))
    yield chunk
  }
}

const MAX_LINES = 20_000
/** ffmpeg itself reads no more of one. */
const MAX_LINE_LENGTH = 4096
/** Where a line ends for ffmpeg. */
const LINE_END = /\r\n?|\n|\0/g
const [ZERO, NEWLINE, RETURN] = [0, 10, 13]

/** How many lines there are at most. By number: to go over the bytes in any other way costs more than what is counted. */
export function linesIn(playlist: Buffer): number {
  let lines = 1
  for (let at = 0; at < playlist.length; at++) {
    const byte = playlist[at]
    if (byte === NEWLINE || byte === RETURN || byte === ZERO) lines++
  }
  return lines
}

/** ffmpeg is let have no https, so it asks nobody for this. */
const REFUSED = 'https://refused.invalid/'

/**
 * Every whole address in a playlist, dressed. Relative ones follow the playlist's own, which is dressed already. What has another
 * scheme is taken out: ffmpeg must be let have `tcp` for its http, and would connect to `tcp://…` by itself, past the proxy. One of several
 * variants is left, the best up to `maxHeight` lines.
 */
export function proxiedPlaylist(text: string, base: string, maxHeight?: number): string {
  const lines: string[] = []
  let from = 0
  const add = (to: number) => {
    if (lines.length === MAX_LINES) throw new Error('the playlist has too many lines')
    // What ffmpeg gets is what was looked at: with a space in front a tag would be an address to it.
    const line = text.slice(from, Math.min(to, from + MAX_LINE_LENGTH)).trim()
    lines.push(line.startsWith('#') ? proxiedTag(line, base) : proxied(line, base))
  }
  for (const end of text.matchAll(LINE_END)) {
    add(end.index)
    from = end.index + end[0].length
  }
  add(text.length)
  return (soleVariant(lines, maxHeight) ?? lines).join('\n')
}

const HTTP = /^https?:\/\//i
/** No colon before the path, so no scheme. */
const RELATIVE = /^[^:/?#]*(?:[/?#]|$)/

const proxied = (address: string, base: string): string =>
  HTTP.test(address) || RELATIVE.test(address) ? toProxied(address, base) : REFUSED

/** A name and its value just as ffmpeg reads them, lest what is an address to it be part of something else here. */
const ATTRIBUTE = /([^=]*=)("(?:\\.|[^"\\])*"?|[^ \t\v\f,]*)/gsy

function proxiedTag(line: string, base: string): string {
  const list = line.indexOf(':') + 1
  if (list === 0 || !/URI/i.test(line)) return line
  const attributes = line.slice(list).replace(ATTRIBUTE, (whole, name: string, value: string) => {
    if (!/URI=$/i.test(name)) return whole
    const address = value.startsWith('"') ? value.replace(/^"|"$/g, '').replace(/\\(.?)/gs, '$1') : value
    return `${name}"${/["\\]/.test(address) ? REFUSED : proxied(address.trim(), base)}"`
  })
  return line.slice(0, list) + attributes
}
