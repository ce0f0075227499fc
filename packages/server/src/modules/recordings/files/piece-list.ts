/** A piece that lies on the disk. */
export interface PieceFile {
  readonly name: string
  readonly bytes: number
}

export interface Piece extends PieceFile {
  /** In seconds of its session. */
  readonly start: number
  /** Null: it was never finished, and how long it is has to be measured. */
  readonly end: number | null
}

interface Span {
  readonly start: number
  readonly end: number
}

const LINE = /^(\d{6,9}\.ts),(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/
/** More than ffmpeg lets pass as a gap of the source: the recorder's queue ran over, since the disk was too slow. */
const LOST_SECONDS = 12
/** What a source may be ahead of the time that has passed. It is read as fast as it plays. */
const AHEAD_SECONDS = 60

const numberOf = (name: string): number => Number.parseInt(name, 10)

/** What ffmpeg has written of its finished pieces. A line without its end does not count, nor does one that was cut off in front. */
export function parsePieceList(text: string): Map<string, Span> {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  return new Map(
    whole.split('\n').flatMap((line): [string, Span][] => {
      const [, name, start, end] = LINE.exec(line.trim()) ?? []
      return name === undefined ? [] : [[name, { start: Number(start), end: Number(end) }]]
    }),
  )
}

/**
 * The pieces that may be taken, in their order. While ffmpeg runs these are the listed ones before the newest; afterwards all, and one that
 * nobody has listed begins where the one before it ends.
 */
export function finishedPieces(
  files: readonly PieceFile[],
  listed: ReadonlyMap<string, Span>,
  { isRunning }: { isRunning: boolean },
): Piece[] {
  const sorted = files.toSorted((a, b) => numberOf(a.name) - numberOf(b.name))
  const pieces: Piece[] = []
  for (const [index, file] of sorted.entries()) {
    const span = listed.get(file.name)
    if (isRunning && (!span || index === sorted.length - 1)) break
    const before = pieces.at(-1)?.end ?? listed.get(nameBefore(file.name))?.end ?? 0
    pieces.push({ ...file, start: span?.start ?? before, end: span?.end ?? null })
  }
  return pieces
}

const nameBefore = (name: string): string => `${String(numberOf(name) - 1).padStart(6, '0')}.ts`

/**
 * The pieces before the first whose time cannot be true. ffmpeg cuts by the times that a stranger's source says of its pictures: one that
 * says years makes a piece of each key frame from there on. `seconds`: for how long the session has been written to.
 */
export function piecesInTime(
  pieces: readonly Piece[],
  { listed, seconds }: { listed: ReadonlyMap<string, Span>; seconds: number },
): readonly Piece[] {
  const wrong = pieces.findIndex(({ name, start, end }) => {
    const before = listed.get(nameBefore(name))?.start ?? 0
    return Math.max(start, end ?? start) > seconds + AHEAD_SECONDS || start < before - AHEAD_SECONDS
  })
  return wrong < 0 ? pieces : pieces.slice(0, wrong)
}

/** Whether something was lost right before this piece. */
export function isBehindLoss(piece: Pick<Piece, 'name' | 'start'>, listed: ReadonlyMap<string, Span>): boolean {
  const before = listed.get(nameBefore(piece.name))
  return before !== undefined && piece.start - before.end > LOST_SECONDS
}
