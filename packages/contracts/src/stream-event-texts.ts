import { streamReasonText } from './stream-reason-texts.ts'
import type { StreamEventKind } from './streams.ts'

/** Why an item of a playlist cannot be played. Each says what to do. */
const PASSED_OVER_TEXTS = {
  gone: 'file videonya tidak ada di server. Upload lagi videonya.',
  damaged: 'file videonya rusak atau terpotong. Upload lagi videonya.',
  'not-ready': 'videonya belum siap. Item ini diputar sendiri begitu videonya siap.',
} as const
export type PassedOverWhy = keyof typeof PASSED_OVER_TEXTS

const SEVERAL = 'belum bisa diputar. Periksa videonya di daftar video, atau keluarkan dari playlist.'
const NAMELESS = 'Sebuah video'

/** Items of a playlist that are passed over one behind the other. */
export interface PassedOver {
  /** Why the first one is passed over. */
  readonly why: PassedOverWhy
  /** Null: its video is gone, and its name with it. */
  readonly filename: string | null
  /** How many others. */
  readonly more: number
}

/** As a row keeps it. */
export const storedPassedOver = ({ why, filename, more }: PassedOver): string => JSON.stringify({ why, filename, more })

/** Null: another version wrote it. */
function readPassedOver(stored: string): PassedOver | null {
  try {
    const { why, filename = null, more = 0 } = JSON.parse(stored) as Partial<PassedOver>
    return why !== undefined && Object.hasOwn(PASSED_OVER_TEXTS, why) ? { why, filename, more } : null
  } catch {
    return null
  }
}

function passedOverText(stored: string): string | null {
  const passed = readPassedOver(stored)
  if (!passed) return null
  const name = passed.filename ?? NAMELESS
  return passed.more > 0
    ? `${name} dan ${passed.more} video lain: ${SEVERAL}`
    : `${name}: ${PASSED_OVER_TEXTS[passed.why]}`
}

/** Their reason is the name of the video or the source that is on air from then on. */
const NAMED_KINDS: ReadonlySet<string> = new Set<StreamEventKind>(['swapped', 'fallback', 'source-back'])
const PASSED_OVER: StreamEventKind = 'passed-over'

/** What a timeline says beside an event: a sentence, or a name. */
export function streamEventReason(kind: string, stored: string | null): string | null {
  if (stored === null || NAMED_KINDS.has(kind)) return stored
  return kind === PASSED_OVER ? passedOverText(stored) : streamReasonText(stored)
}
