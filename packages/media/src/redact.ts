import type { Secret } from './secret.ts'

const MASK = '[secret]'

/** A part shorter than this is common text ("1", "en"): masking it everywhere would ruin the line and hide nothing. */
const MIN_PART_LENGTH = 4

/** Stops where a URL stops in prose, JSON and HTML alike; rtmpTarget refuses these characters, so no key runs past them. */
const RTMP_URL = /\b(rtmp[a-z]{0,2}:\/\/)([^\s"<>`/]*)(\/[^\s"<>`]*)?/gi
const NAMED_VALUE = /\b((?:[a-z]+_)?(?:api[-_]?key|token)=)[^\s&"'<>]+/gi
/** What prose puts behind a URL, as in ffmpeg's `rtmp://…: Input/output error`; later readers need it in its place. */
const TRAILING_PUNCTUATION = /[:;,.!')]+$/

/**
 * Masks the given secrets, whole and in the parts in which ffmpeg prints them, and then, for secrets nobody told us
 * about, whatever stands behind the app of any RTMP URL and in `apiKey=` or `token=`. The host and the app stay, since
 * a fault report without them is worth little.
 *
 * Redact first and cut to length afterwards: half a key is not recognised. The work is linear in the text.
 */
export function redact(text: string, secrets: readonly Secret[]): string {
  const known = maskAll(text, needlesOf(secrets))
  return known
    .replace(RTMP_URL, (_whole, scheme: string, authority: string, path: string | undefined) => {
      const at = authority.lastIndexOf('@')
      const host = at === -1 ? authority : `${MASK}${authority.slice(at)}`
      return `${scheme}${host}${path === undefined ? '' : maskPath(path)}`
    })
    .replace(NAMED_VALUE, `$1${MASK}`)
}

const WEB_URL = /\b(https?:\/\/[^\s"'<>`/?#]*)([/?#][^\s"'<>`]*)/gi

/** For what ffmpeg says of an online source: its playlists name addresses that hold leave to see it, which nobody told us about. The host stays. */
export const redactWebAddresses = (text: string): string =>
  text.replace(WEB_URL, (_whole, host: string, rest: string) => {
    const trailing = TRAILING_PUNCTUATION.exec(rest.slice(-8))?.[0] ?? ''
    return rest.length === trailing.length + 1 ? `${host}${rest}` : `${host}/${MASK}${trailing}`
  })

/** `/app/key?query` keeps its app; a path of one part may be the key itself and keeps nothing. */
function maskPath(path: string): string {
  const trailing = TRAILING_PUNCTUATION.exec(path.slice(-8))?.[0] ?? ''
  const bare = path.slice(1, path.length - trailing.length)
  if (bare === '') return path
  const slash = bare.indexOf('/')
  const app = slash === -1 ? '' : bare.slice(0, slash)
  const keepsApp = app !== '' && !app.includes('?') && slash < bare.length - 1
  return `/${keepsApp ? `${app}/` : ''}${MASK}${trailing}`
}

function needlesOf(secrets: readonly Secret[]): Set<string> {
  const needles = new Set<string>()
  for (const secret of secrets) {
    const value = secret.reveal()
    if (value === '') continue
    const tail = tailOf(value)
    // A whole URL loses its tail here and the rest to RTMP_URL; an escaped one hides its slashes from RTMP_URL.
    for (const form of tail === null ? formsOf(value) : escapedForms(value)) needles.add(form)
    for (const part of partsOf(tail ?? value)) {
      for (const form of formsOf(part)) if (form.length >= MIN_PART_LENGTH) needles.add(form)
    }
  }
  return needles
}

/** What is secret about an RTMP URL: everything behind the app, or behind the host when there is no app. */
function tailOf(value: string): string | null {
  const path = /^rtmp[a-z]{0,2}:\/\/[^/]*\/(.*)$/is.exec(value)?.[1]
  if (path === undefined) return null
  const slash = path.indexOf('/')
  return slash === -1 ? path : path.slice(slash + 1)
}

function partsOf(tail: string): string[] {
  const question = tail.indexOf('?')
  const path = question === -1 ? tail : tail.slice(0, question)
  const query = question === -1 ? '' : tail.slice(question + 1)
  const values = query.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1))
  const lastSegment = tail.slice(path.lastIndexOf('/') + 1)
  return [tail, path, lastSegment, query, ...path.split('/'), ...values]
}

function formsOf(part: string): string[] {
  const decoded = attempt(() => decodeURIComponent(part)) ?? part
  return [part, decoded].flatMap((text) => [text, attempt(() => encodeURI(text)) ?? text, ...escapedForms(text)])
}

function escapedForms(text: string): string[] {
  const escaped = attempt(() => encodeURIComponent(text)) ?? text
  return [escaped, escaped.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())]
}

/** Both codecs throw on text that is no valid encoding (a lone `%`, half a surrogate pair): then there is no such form. */
function attempt(encode: () => string): string | null {
  try {
    return encode()
  } catch {
    return null
  }
}

/** Needles may overlap in the text; their spans are joined first, so that masking one never leaves half of another. */
function maskAll(text: string, needles: Set<string>): string {
  const spans: [from: number, to: number][] = []
  for (const needle of needles) {
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
      spans.push([at, at + needle.length])
    }
  }
  spans.sort((a, b) => a[0] - b[0])
  const pieces: string[] = []
  let done = 0
  for (const [from, to] of spans) {
    if (from >= done) pieces.push(text.slice(done, from), MASK)
    done = Math.max(done, to)
  }
  pieces.push(text.slice(done))
  return pieces.join('')
}
