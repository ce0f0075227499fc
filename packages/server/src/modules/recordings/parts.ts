import { type SentStretch, TOLERANCE_MS } from './sweep.ts'

/** Without a break, but for those that were too short to be shown one by one. */
export interface Part {
  readonly at: number
  /** When its last moment was sent. */
  readonly until: number
  readonly fromMs: number
  readonly ms: number
  readonly interruption: string | null
  /** How many interruptions within it are not shown. */
  readonly folded: number
}

/** More cannot be told apart on a screen. */
export const MOST_PARTS = 300

/** Why the broadcast was off air before it, as a code; null: it was not, or it is the first. */
export function interruptionOf(before: SentStretch | undefined, { piece, at }: SentStretch): string | null {
  if (!before) return null
  const isStream = before.piece.streamId === piece.streamId
  if (isStream && before.piece.session === piece.session) return null
  if (at - (before.at + before.ms) > TOLERANCE_MS) return piece.reason ?? 'unknown'
  // On a busy machine the begin of the one before was seen late, and its end reaches over the gap.
  return isStream ? piece.reason : null
}

/** The parts with another stretch behind them. */
export function withStretch(
  parts: Part[],
  { at, ms, interruption }: { at: number; ms: number; interruption: string | null },
): void {
  const last = parts.at(-1)
  const until = at + ms
  if (last && interruption === null) parts[parts.length - 1] = { ...last, until, ms: last.ms + ms }
  else parts.push({ at, until, fromMs: last ? last.fromMs + last.ms : 0, ms, interruption, folded: 0 })
}

/** Not more than so many: the shortest interruptions are folded into the part before them. */
export function foldParts(parts: readonly Part[], most = MOST_PARTS): Part[] {
  if (parts.length <= most) return [...parts]
  const gapBefore = (index: number): number => (parts[index]?.at ?? 0) - (parts[index - 1]?.until ?? 0)
  const byLength = parts
    .map((_, index) => index)
    .slice(1)
    .sort((a, b) => gapBefore(b) - gapBefore(a))
  const shown = new Set(byLength.slice(0, most - 1))
  const folded: Part[] = []
  for (const [index, part] of parts.entries()) {
    const last = folded.at(-1)
    if (!last || shown.has(index)) folded.push(part)
    else {
      const both = { ms: last.ms + part.ms, folded: last.folded + part.folded + 1, until: part.until }
      folded[folded.length - 1] = { ...last, ...both }
    }
  }
  return folded
}
