import type { LoopList } from './loop-plan.ts'

/** Nothing but a file of this kind may lie behind a list: an upload that calls itself a video may be a list of other files of this machine. */
export const LIST_OPTIONS = ['option protocol_whitelist file', 'option format_whitelist mov,matroska,mpegts,flv']

/** The list that stands for a file in a slot. Each entry tells how long it lasts, else ffmpeg would guess, and misplace the next pass. */
export function loopListText(list: LoopList, path: string, tailPath: string | null): string {
  const { seconds, outpoint, bodySeconds } = list
  const first = [fileLine(path), ...LIST_OPTIONS, ...(outpoint === null ? [] : [`outpoint ${outpoint.toFixed(6)}`])]
  if (bodySeconds === null || tailPath === null) return textOf([...first, `duration ${seconds.toFixed(6)}`])
  return textOf([
    ...first,
    `duration ${bodySeconds.toFixed(6)}`,
    fileLine(tailPath),
    ...LIST_OPTIONS,
    `duration ${(seconds - bodySeconds).toFixed(6)}`,
  ])
}

const textOf = (lines: readonly string[]): string => `ffconcat version 1.0\n${lines.join('\n')}\n`

/** In quotes everything stands for itself but the quote. */
export function fileLine(path: string): string {
  if (/[\r\n]/.test(path)) throw new Error('a list cannot name a file with a line break in its name')
  return `file '${path.replaceAll("'", "'\\''")}'`
}

/** As it is kept in a row. Null: there is none, or none that can be read. */
export function parseLoopList(text: string | null): LoopList | null {
  if (text === null) return null
  const read = JSON.parse(text) as Partial<LoopList>
  const { seconds, startSeconds, outpoint = null, bodySeconds = null } = read
  if (typeof seconds !== 'number' || typeof startSeconds !== 'number') return null
  return { seconds, startSeconds, outpoint, bodySeconds }
}
