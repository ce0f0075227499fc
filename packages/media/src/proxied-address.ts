/**
 * ffmpeg knows no https when it reads through our proxy: to let it would mean to let it have its `httpproxy` protocol too, which a
 * playlist can name to connect anywhere. So an https address is dressed as an http one of a host that cannot exist, and the proxy
 * makes the TLS connection, with the certificate checked.
 */
export const TLS_MARK = '.tls.invalid'

/**
 * Tells the proxy whose request it is: ffmpeg sends it with each, also with those for segments and keys. No proxy passes such a header on, nor
 * did those of earlier versions.
 */
export const SHARE_HEADER = 'Proxy-Share'

const ADDRESS = /^(https?:)?\/\/([^/?#]*)(.*)$/is
const NAME_AND_PORT = /^([^[\]@:]+)(?::(\d+))?$/

/**
 * The address as ffmpeg has to be given it; `base` is the scheme of where it was found. One that cannot be dressed stays https,
 * which ffmpeg then refuses.
 */
export function toProxied(address: string, base = 'http:'): string {
  const [, scheme = base, authority = '', rest = ''] = ADDRESS.exec(address) ?? []
  const [, name, port = '443'] = NAME_AND_PORT.exec(authority) ?? []
  if (scheme.toLowerCase() !== 'https:' || !name) return address
  return `http://${name}${TLS_MARK}:${port}${rest}`
}

/** Tells the proxy how many lines the picture may have, where it chooses among variants. */
export const HEIGHT_HEADER = 'Proxy-Height'

const FRAGMENT = /#.*$/s
const HEIGHT = /#height=(\d+)$/

/** An address says so in its fragment, which goes no further than ffmpeg. */
export const withHeight = (address: string, maxHeight: number | undefined): string =>
  maxHeight === undefined ? address : `${address.replace(FRAGMENT, '')}#height=${maxHeight}`

export const heightOf = (address: string): string | null => HEIGHT.exec(address)?.[1] ?? null
