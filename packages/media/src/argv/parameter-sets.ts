import { DECODER_LIMITS, fileUrl, SAFE_INPUT } from './input.ts'

/** Each is some thirty bytes, one per key frame: days of video have less. */
const MOST_BYTES = 4_000_000

/** ffmpeg's arguments: every sequence parameter set of an H.264 picture, for parameterSetScan. It reads the file and decodes nothing. */
export const parameterSetArgs = (path: string): string[] => [
  '-nostdin',
  '-hide_banner',
  ...['-loglevel', 'error'],
  ...DECODER_LIMITS,
  ...SAFE_INPUT,
  ...['-i', fileUrl(path)],
  ...['-map', '0:V:0', '-c', 'copy'],
  ...['-bsf:v', 'h264_mp4toannexb,filter_units=pass_types=7'],
  ...['-fs', String(MOST_BYTES)],
  ...['-f', 'h264', 'pipe:1'],
]
