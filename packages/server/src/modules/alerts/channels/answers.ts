import type { IncomingHttpHeaders } from 'node:http'
import { EgressRefused } from '../../../platform/egress/egress.ts'
import { CallFailed, type SmallAnswer } from '../../../platform/egress/small-call.ts'
import type { SendOutcome } from './channel.ts'

/** What is read of an answer, and what is kept of it. */
export const ANSWER_BYTES = 4096
const SHOWN_CHARACTERS = 300
/** Shorter parts are common text: masking them would ruin the line and hide nothing. */
const SHORTEST_SECRET = 6
const MASK = '[rahasia]'
/** Beside line breaks also what turns the direction of a text around, or hides in it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const NOT_SHOWN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g
const LONGEST_WAIT_MS = 6 * 3_600_000

/** What the other side said, for its owner's eyes: in one line, bounded, without the secrets. They are masked before the text is cut. */
export function cleaned(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of [...secrets].sort((one, other) => other.length - one.length)) {
    for (const form of [secret, encodeURIComponent(secret)]) {
      if (form.length >= SHORTEST_SECRET) clean = clean.replaceAll(form, MASK)
    }
  }
  clean = clean.replace(NOT_SHOWN, ' ').replace(/\s+/g, ' ').trim()
  return shortened(clean, SHOWN_CHARACTERS)
}

/** At most so many characters, as UTF-16 counts them; no pair is cut in two. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, Math.max(0, most - 1))
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

/** There was no answer at all. An address that a user chose and that leads inside is not tried again; a platform's own one may be back. */
export function noAnswer(error: unknown, chosenBy: 'user' | 'platform'): SendOutcome {
  if (error instanceof EgressRefused && error.why !== 'unknown-host') {
    const answer = 'Alamat ini tidak boleh dituju dari server.'
    return chosenBy === 'user' ? { kind: 'gone', answer } : { kind: 'later', afterMs: null, answer }
  }
  const code = error instanceof CallFailed ? error.code : error instanceof EgressRefused ? 'lookup' : 'error'
  const answer = code === 'timeout' ? 'Tidak ada jawaban dalam waktunya.' : `Tidak dapat dihubungi (${code}).`
  return { kind: 'later', afterMs: null, answer }
}

/** How long to wait, by the header of that name: seconds, or a moment. */
export function retryAfterMs(headers: IncomingHttpHeaders, now: number): number | null {
  const said = headers['retry-after']
  if (!said) return null
  return boundedWait(/^\d+(\.\d+)?$/.test(said) ? Number(said) * 1000 : Date.parse(said) - now)
}

/** Somebody else's wish, within reason. */
export function boundedWait(ms: number): number | null {
  if (!Number.isFinite(ms) || ms < 0) return null
  return Math.min(LONGEST_WAIT_MS, Math.ceil(ms))
}

/** Null: it is no JSON object. */
export function jsonOf({ text, isCut }: Pick<SmallAnswer, 'text' | 'isCut'>): Record<string, unknown> | null {
  if (isCut) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
