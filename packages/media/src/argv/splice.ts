import { fileLine } from '../loop-list.ts'
import type { SoundSpan, TailCut } from '../loop-plan.ts'
import { DECODER_LIMITS, fileUrl, SAFE_INPUT } from './input.ts'

/** It tells how much it has written, and only faults besides. */
const QUIET = ['-nostdin', '-hide_banner', '-nostats', '-loglevel', 'error', '-progress', 'pipe:1', '-y']

/** A packet is found by seeking to before it. */
const SEEK_FRAMES = 5

/** What is put together of pictures and sound that stay as they are. */
export interface SplicePaths {
  readonly input: string
  readonly output: string
}

/** Silence in packets like those of the original, from zero on: its priming is moved away, so that the first packet is heard at once. */
export const silenceArgs = (
  sound: { sampleRate: number; channels: number; seconds: number },
  output: string,
): string[] => [
  ...QUIET,
  ...['-f', 'lavfi', '-i', `anullsrc=r=${sound.sampleRate}:cl=${sound.channels === 1 ? 'mono' : 'stereo'}`],
  ...['-t', sound.seconds.toFixed(3), '-c:a', 'aac', '-b:a', '64k', '-bsf:a', 'setts=ts=TS+1024'],
  ...['-f', 'mp4', fileUrl(output)],
]

/** The sound alone, with the times that it has; `from`: without what comes long before. */
export const soundCopyArgs = (
  { input, output }: SplicePaths,
  from: { seconds: number; frameSeconds: number } | null,
): string[] => [
  ...QUIET,
  ...SAFE_INPUT,
  ...DECODER_LIMITS,
  '-copyts',
  ...(from === null ? [] : ['-ss', Math.max(0, from.seconds - 0.0001 - SEEK_FRAMES * from.frameSeconds).toFixed(6)]),
  ...['-i', fileUrl(input), '-map', '0:a:0', '-c', 'copy', '-f', 'mp4', fileUrl(output)],
]

/** A list for ffmpeg, and when its sound begins. */
export interface SoundList {
  readonly text: string
  readonly beginsAt: number
}

/** Sound from `soundFrom` on and silence behind it. */
export const tailSound = ({ soundFrom, soundEnd }: TailCut, sound: string, silence: string): SoundList => ({
  text: listOf([
    fileLine(sound),
    `inpoint ${soundFrom.toFixed(6)}`,
    `duration ${(soundEnd - soundFrom).toFixed(6)}`,
    fileLine(silence),
  ]),
  beginsAt: soundFrom,
})

/** Silence for as many whole frames as fit before the sound, then the sound, then silence. */
export function filledSound(span: SoundSpan, sound: string, silence: string): SoundList {
  const { pictureStart, soundStart, soundEnd, frameSeconds } = span
  const frames = Math.max(0, Math.floor((soundStart - pictureStart) / frameSeconds + 1e-6))
  const lead = frames * frameSeconds
  const leading =
    frames === 0
      ? []
      : [fileLine(silence), `outpoint ${(lead - frameSeconds / 2).toFixed(6)}`, `duration ${lead.toFixed(6)}`]
  return {
    text: listOf([...leading, fileLine(sound), `duration ${(soundEnd - soundStart).toFixed(6)}`, fileLine(silence)]),
    beginsAt: soundStart - lead,
  }
}

interface SpliceOrder extends SplicePaths {
  /** Where the picture begins; null: with the file. */
  readonly from: number | null
  readonly until: number
  readonly mostBytes: number
  /** The original's: with another clock the times would be rounded. */
  readonly timescale: number | null
  /** The sound's list; null: the file's own sound. */
  readonly sound: { readonly listFile: string; readonly beginsAt: number } | null
}

/** Picture and sound, copied and put in order. Times stay as they are, else the sound would move by its priming. */
export const spliceArgs = ({ input, output, from, until, mostBytes, timescale, sound }: SpliceOrder): string[] => [
  ...QUIET,
  '-copyts',
  ...SAFE_INPUT,
  ...DECODER_LIMITS,
  ...(from === null ? [] : ['-ss', from.toFixed(6)]),
  ...['-i', fileUrl(input)],
  ...(sound === null ? [] : soundInput(sound)),
  ...['-map', '0:V:0', '-map', sound === null ? '0:a:0' : '1:a:0', '-c', 'copy'],
  ...['-map_metadata', '-1', '-map_chapters', '-1'],
  ...(timescale === null ? [] : ['-video_track_timescale', String(timescale)]),
  ...['-to', until.toFixed(6), '-fs', String(mostBytes), '-f', 'mp4', fileUrl(output)],
]

const soundInput = ({ listFile, beginsAt }: { listFile: string; beginsAt: number }): string[] => [
  ...['-itsoffset', beginsAt.toFixed(6)],
  ...['-protocol_whitelist', 'file', '-format_whitelist', 'concat,mov'],
  ...['-f', 'concat', '-safe', '0', '-auto_convert', '0', '-i', fileUrl(listFile)],
]

/** Where a tail ends: with the picture, or with the last whole frame of silence that fits before the next pass. */
export function tailEnd({ pictureStart, pictureEnd, soundStart, soundEnd, frameSeconds }: SoundSpan): number {
  const nextSound = pictureEnd - pictureStart + soundStart
  const frames = Math.floor((nextSound - soundEnd) / frameSeconds + 1e-6)
  const filledTo = soundEnd + frames * frameSeconds
  return frames > 0 && filledTo > pictureEnd ? filledTo - 0.001 : pictureEnd
}

/** How much silence a splice needs at most, at either end. */
export const silenceSeconds = ({ pictureStart, pictureEnd, soundStart, soundEnd }: SoundSpan): number =>
  Math.max(pictureEnd - soundEnd, soundStart - pictureStart, 0) + 1

const listOf = (lines: readonly string[]): string => `ffconcat version 1.0\n${lines.join('\n')}\n`
