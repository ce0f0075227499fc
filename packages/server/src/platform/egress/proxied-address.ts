/**
 * ffmpeg knows no https when it reads through our proxy: to let it would mean to let it have its `httpproxy` protocol too, which a
 * playlist can name to connect anywhere. So an https address is dressed as an http one of a host that cannot exist, and the proxy
 * makes the TLS connection, with the certificate checked.
 */
const TLS_MARK = '.tls.invalid'

const MARKED_HOST = /^(.+)\.tls\.invalid$/i
const ADDRESS = /^(https?:)?\/\/([^/?#]*)(.*)$/is
const NAME_AND_PORT = /^([^[\]@:]+)(?::(\d+))?$/

/** The address as ffmpeg has to be given it. One that cannot be dressed stays https, which ffmpeg then refuses. */
export function toProxied(address: string, base = 'http:'): string {
  const [, scheme = base, authority = '', rest = ''] = ADDRESS.exec(address) ?? []
  const [, name, port = '443'] = NAME_AND_PORT.exec(authority) ?? []
  if (scheme.toLowerCase() !== 'https:' || !name) return address
  return `http://${name}${TLS_MARK}:${port}${rest}`
}

/** What ffmpeg asked the proxy for, as it is on the internet. */
export function fromProxied(url: URL): URL {
  const [, name] = MARKED_HOST.exec(url.hostname) ?? []
  return name ? new URL(`https://${name}:${url.port || '443'}${url.pathname}${url.search}`) : url
}

const PLAYLIST_START = '#EXTM3U'

/** By the very sign by which ffmpeg knows one. */
export const isPlaylist = (start: Buffer): boolean =>
  start.subarray(0, PLAYLIST_START.length).toString('latin1') === PLAYLIST_START

/** As many bytes as it takes to tell. */
export const PLAYLIST_SIGN_BYTES = PLAYLIST_START.length

/** Every whole address in a playlist, dressed. Relative ones follow the playlist's own, which is dressed already. */
export const proxiedPlaylist = (text: string, base: string): string =>
  text
    .split('\n')
    .map((line) =>
      line.startsWith('#')
        ? line.replace(/\bURI="([^"]*)"/g, (_whole, address) => `URI="${toProxied(address, base)}"`)
        : toProxied(line.trim(), base),
    )
    .join('\n')
