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
