import { fileLine, LIST_OPTIONS } from '../loop-list.ts'
import { DECODER_LIMITS, fileUrl, SAFE_INPUT } from './input.ts'

const QUIET = ['-nostdin', '-hide_banner', '-nostats', '-loglevel', 'error']

/** `pts,dts,flags` of the key frame at or before each mark, in the file's own clock, for parseKeyframeMarks. Each costs a seek. */
export const keyframeMarksArgs = (path: string, marks: readonly number[]): string[] => [
  ...['-v', 'error', '-hide_banner', ...SAFE_INPUT, ...DECODER_LIMITS],
  ...['-select_streams', 'V:0', '-show_entries', 'packet=pts_time,dts_time,flags'],
  ...['-read_intervals', marks.map((mark) => `${mark.toFixed(3)}%+#1`).join(',')],
  ...['-of', 'csv=p=0', '-i', fileUrl(path)],
]

/** In the file's own clock. It is decoded before it is shown, where others are shown between. */
export interface Keyframe {
  readonly shown: number
  readonly decoded: number
}

/** In order, each once. */
export function parseKeyframeMarks(csv: string): Keyframe[] {
  const found = new Map<number, Keyframe>()
  for (const line of csv.split('\n')) {
    const [pts = '', dts = '', flags = ''] = line.trim().split(',')
    if (pts === '' || !flags.startsWith('K')) continue
    const shown = Number(pts)
    const decoded = dts === '' || dts === 'N/A' ? shown : Number(dts)
    if (Number.isFinite(shown) && Number.isFinite(decoded)) found.set(shown, { shown, decoded })
  }
  return [...found.values()].sort((one, other) => one.shown - other.shown)
}

/** A piece of a file from one key frame to another, as MPEG-TS. Seconds from where the file begins. */
export interface SegmentCut {
  readonly path: string
  /** A key frame; null: from the file's first packet on. */
  readonly from: number | null
  /** What is decoded from there on is left out; null: nothing is. */
  readonly videoTo: number | null
  readonly audioTo: number | null
  /** What its clock says where it begins. */
  readonly clock: number
}

/** Just before a packet, so that rounding puts it on neither side. */
const JUST_BEFORE = 0.0004

/**
 * The file is opened twice, since picture and sound end at different moments: a picture is decoded before it is shown. Where one piece
 * ends the next one begins: together they are what the file is, packet by packet.
 */
export function segmentArgs({ path, from, videoTo, audioTo, clock }: SegmentCut): string[] {
  const begin = from ?? 0
  const input = (to: number | null): string[] => [
    ...SAFE_INPUT,
    ...DECODER_LIMITS,
    ...(from === null ? [] : ['-ss', (from + JUST_BEFORE).toFixed(6)]),
    ...(to === null ? [] : ['-t', Math.max(0.001, to - begin - 2 * JUST_BEFORE).toFixed(6)]),
    ...['-i', fileUrl(path)],
  ]
  return [
    ...QUIET,
    ...input(videoTo),
    ...input(audioTo),
    ...['-map', '0:V:0', '-map', '1:a:0?', '-c', 'copy', '-map_metadata', '-1'],
    // Sound from before the cut is in the piece before.
    ...(from === null ? [] : ['-copypriorss:a', '0']),
    ...mpegts(clock + (from === null ? 0 : JUST_BEFORE)),
  ]
}

/** What a player is sent, and what can be put behind another. The clock of the first picture: nothing is decoded before zero. */
const mpegts = (clock: number): string[] => [
  ...['-output_ts_offset', clock.toFixed(6), '-muxdelay', '0', '-muxpreload', '0', '-fflags', '+bitexact'],
  ...['-mpegts_flags', '+initial_discontinuity', '-f', 'mpegts', 'pipe:1'],
]

/** One file of a recording, from a key frame on. In its own clock. */
export interface JoinedFile {
  readonly path: string
  readonly inpoint: number | null
  readonly outpoint: number | null
  readonly seconds: number
}

/** For joinArgs. Each tells how long it lasts, else ffmpeg would guess, and misplace the next one. */
export function* joinedListLines(files: Iterable<JoinedFile>): Generator<string> {
  yield 'ffconcat version 1.0\n'
  for (const { path, inpoint, outpoint, seconds } of files) {
    const lines = [
      fileLine(fileUrl(path)),
      ...LIST_OPTIONS,
      ...(inpoint === null ? [] : [`inpoint ${(inpoint + JUST_BEFORE).toFixed(6)}`]),
      ...(outpoint === null ? [] : [`outpoint ${outpoint.toFixed(6)}`]),
      `duration ${seconds.toFixed(6)}`,
    ]
    yield `${lines.join('\n')}\n`
  }
}

export interface Joining {
  /** What comes through the pipe: a list of files that are alike, or MPEG-TS itself. */
  readonly input: 'list' | 'mpegts'
  readonly format: 'mp4' | 'mpegts'
  /** What its clock says where it begins. */
  readonly clock: number
  /** Not more than this; null: all of it. */
  readonly seconds: number | null
  /** Its sound is AAC as MPEG-TS has it, which MP4 wants without the head of each packet. */
  readonly isAdts: boolean
}

/** One file of many, as it is made: its reader need not wait for its end, and nothing of it is kept. Made twice it is the same. */
export const joinArgs = ({ input, format, clock, seconds, isAdts }: Joining): string[] => [
  ...QUIET,
  ...DECODER_LIMITS,
  ...(input === 'list' ? LIST_INPUT : MPEGTS_INPUT),
  ...['-i', 'pipe:0', '-map', '0:V:0', '-map', '0:a:0?', '-c', 'copy', '-map_metadata', '-1', '-map_chapters', '-1'],
  ...(seconds === null ? [] : ['-t', seconds.toFixed(3)]),
  ...(format === 'mp4' && isAdts ? ['-bsf:a', 'aac_adtstoasc'] : []),
  ...(format === 'mpegts' ? mpegts(clock) : fragmented(isAdts)),
]

const MPEGTS_INPUT = ['-protocol_whitelist', 'pipe', '-format_whitelist', 'mpegts', '-f', 'mpegts']

const LIST_INPUT = [
  ...['-protocol_whitelist', 'file,pipe', '-format_whitelist', 'concat,mov,matroska,mpegts,flv'],
  ...['-f', 'concat', '-safe', '0', '-auto_convert', '0'],
]

/** What kind of sound it is is known only from the first packet on where each has a head. */
const fragmented = (isAdts: boolean): string[] => [
  ...['-fflags', '+bitexact'],
  ...['-movflags', `+frag_keyframe+${isAdts ? 'delay_moov' : 'empty_moov'}+default_base_moof`],
  ...['-f', 'mp4', 'pipe:1'],
]
