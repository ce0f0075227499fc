import { PLANS, type PlanLimits, planOf, recordingWords } from '@siarin/contracts/plans'
import type { Recording } from '@siarin/contracts/recordings'
import type { Standing } from '@siarin/contracts/standing'
import { formatDay, formatMoment, formatNumber, formatShortBytes, formatSpan, formatTime } from '../../lib/format.ts'
import { type Choice, partOf } from './choice.ts'
import { type Gap, type TimeLine, wallAt } from './time-line.ts'

const SOON_MS = 24 * 3_600_000

type Named = Pick<Recording, 'title' | 'sourceName'>

export const nameWords = ({ title, sourceName }: Named): string => title || sourceName || 'Tanpa nama'

export const roomWords = ({ online, size }: Pick<Recording, 'online' | 'size'>): string =>
  online ? formatShortBytes(size) : 'tidak memakan ruang'

export const interruptionWords = (count: number): string =>
  count === 0 ? 'tidak terputus' : `${formatNumber(count)} kali terputus`

export const recordingFacts = (recording: Recording): string[] => [
  formatMoment(recording.startedAt),
  formatSpan(recording.seconds),
  roomWords(recording),
  interruptionWords(recording.interruptions),
]

/** Until when it is kept, and whether that is soon; null while it is being made. */
export function keptWords(
  keptUntil: string | null,
  now: number,
): { readonly words: string; readonly soon: boolean } | null {
  if (keptUntil === null) return null
  const soon = Date.parse(keptUntil) - now < SOON_MS
  return { words: `Disimpan sampai ${soon ? formatMoment(keptUntil) : formatDay(keptUntil)}`, soon }
}

/** Where the operator holds nobody to a plan, everyone has everything. */
const limitsOf = ({ plan, enforced }: Standing): PlanLimits | undefined =>
  enforced ? planOf(plan).limits : PLANS.at(-1)?.limits

/** How long it would be kept, and what it takes. */
export function recordHint(standing: Standing | undefined, online: boolean): string {
  const limits = standing && limitsOf(standing)
  const kept = limits ? `Disimpan ${recordingWords(limits)}. ` : ''
  return online
    ? `${kept}Rekaman sumber online memakai ruang penyimpanan Anda.`
    : `${kept}Rekaman video dan playlist tidak memakan ruang.`
}

const gapSeconds = ({ begin, end }: Gap): number => (end - begin) / 1000

/** 'Terputus 12 detik' */
export const gapLength = (gap: Gap): string => `Terputus ${formatSpan(gapSeconds(gap))}`

/** For breaks that are too many to be shown. */
export const foldedWords = (count: number): string =>
  `${formatNumber(count)} gangguan singkat lainnya tidak ditampilkan satu per satu.`

export const gapWords = (gap: Gap): string => `${formatTime(gap.begin)} · ${gapLength(gap)}. ${gap.why}`

/** 'Seluruh rekaman', or from when to when on the wall clock. */
export function choiceWords(choice: Choice, line: TimeLine): string {
  const { from, to } = partOf(choice, line.seconds)
  const length = formatSpan(to - from)
  if (!choice) return `Seluruh rekaman · ${length}`
  return `${formatTime(wallAt(line, from))} – ${formatTime(wallAt(line, to, 'end'))} · ${length}`
}

/** As far as is known: what is sent is of one bitrate. */
export function downloadSize({ size, seconds }: Pick<Recording, 'size' | 'seconds'>, choice: Choice): string | null {
  if (size <= 0 || seconds <= 0) return null
  const { from, to } = partOf(choice, seconds)
  return `kira-kira ${formatShortBytes((size * (to - from)) / seconds)}`
}

/** A name for a video that is made of it: 'Kajian subuh 15 Nov 2026'. */
export const videoName = (recording: Named & Pick<Recording, 'startedAt'>): string =>
  `${nameWords(recording).replace(/\.[a-z0-9]{2,4}$/i, '')} ${formatDay(recording.startedAt)}`
