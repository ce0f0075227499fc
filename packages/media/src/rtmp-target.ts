import { Secret } from './secret.ts'

export type RtmpTarget =
  | { ok: true; url: Secret; host: string; port: number }
  | { ok: false; fault: 'whole-url-required' | 'invalid' }

const DEFAULT_PORT = { rtmp: 1935, rtmps: 443 } as const

/** ffmpeg 5.1 keeps an RTMP URL's path in 1024 bytes and cuts a longer one without a word: refuse it instead. */
const MAX_LENGTH = 1000

/**
 * Printable ASCII without the characters that end a URL in a log line (see redact), start a fragment or escape
 * something. No white-space above all: ffmpeg and librtmp read what follows a space as options of their own.
 */
const ALLOWED = /^[!$-;=?-[\]^_a-~]+$/
const WHOLE_URL = /^(rtmps?):\/\/([^/?]*)(\/.*)?$/i
const AUTHORITY = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?\.?))(?::(\d{1,5}))?$/i

const invalid: RtmpTarget = { ok: false, fault: 'invalid' }

/**
 * Where a broadcast goes: a whole URL as it was given, or a bare stream key behind the platform's ingest address.
 * `host` comes in lower case and an IPv6 address without its brackets, ready to be resolved and checked. It may still
 * be any spelling of an address ("0x7f.1"): who decides where we may connect has to look at the resolved address.
 */
export function rtmpTarget(input: string, ingestBase: string | null): RtmpTarget {
  const isWhole = /^rtmps?:\/\//i.test(input)
  if (!isWhole && ingestBase === null) return { ok: false, fault: 'whole-url-required' }
  if (isWhole || ingestBase === null) return wholeTarget(input)
  // An address of another kind pasted where a key belongs would otherwise become a key that no platform knows.
  if (input.includes('://') || /^[/?]/.test(input) || input === '') return invalid
  return wholeTarget(`${ingestBase}${ingestBase.endsWith('/') ? '' : '/'}${input}`)
}

function wholeTarget(url: string): RtmpTarget {
  if (url.length > MAX_LENGTH || !ALLOWED.test(url)) return invalid
  const [, scheme, authority, path] = WHOLE_URL.exec(url) ?? []
  if (scheme === undefined || authority === undefined || path === undefined) return invalid
  // A path that ends in a slash lacks the key: the address of the server was pasted without it.
  if (path.endsWith('/')) return invalid
  const [, ipv6, name, portText] = AUTHORITY.exec(authority) ?? []
  const host = (ipv6 ?? name)?.toLowerCase()
  if (host === undefined || host.includes('..')) return invalid
  const kind = scheme.toLowerCase() === 'rtmps' ? 'rtmps' : 'rtmp'
  const port = portText === undefined ? DEFAULT_PORT[kind] : Number(portText)
  if (port < 1 || port > 65535) return invalid
  // ffmpeg looks a protocol up in lower case only.
  return { ok: true, url: new Secret(`${kind}${url.slice(scheme.length)}`), host, port }
}

/**
 * The same target by one address behind its name. The server still learns the name by which it was called (`tcUrl`), spelled as
 * ffmpeg would. Null, or an address that is the host itself, changes nothing.
 */
export function targetAt(url: string, address: string | null): { url: string; tcUrl: string | null } {
  const [, scheme = '', authority = '', path = ''] = WHOLE_URL.exec(url) ?? []
  const [, ipv6, name, port = '1935'] = AUTHORITY.exec(authority) ?? []
  if (address === null || address === (ipv6 ?? name)) return { url, tcUrl: null }
  const host = address.includes(':') ? `[${address}]` : address
  const called = ipv6 ? `[${ipv6}]` : name
  return {
    url: `${scheme}://${host}:${port}${path}`,
    tcUrl: `${scheme}://${called}:${port}/${appOf(path)}`,
  }
}

/** The part of a path that ffmpeg takes for the app: the first two segments where there are three, else the first. */
function appOf(path: string): string {
  const first = path.indexOf('/', 1)
  if (first === -1) return path.slice(1)
  const second = path.indexOf('/', first + 1)
  const colon = path.indexOf(':', first + 1)
  const isInstance = second !== -1 && (colon === -1 || colon > second)
  return path.slice(1, isInstance ? second : first)
}
