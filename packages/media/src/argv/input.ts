import { DECODERS } from './decoders.ts'

/**
 * An upload is untrusted: a playlist under the name of a video would make ffmpeg open other files of this machine, or
 * fetch addresses from inside our network. So only containers that hold their media themselves, only from a file.
 */
export const SAFE_INPUT: readonly string[] = [
  '-protocol_whitelist',
  'file',
  '-format_whitelist',
  'mov,matroska,mpegts,flv,avi',
]

/** More than 8K has; a picture of a few kilobytes may claim any size, and a decoder would make room for it. */
export const MOST_PIXELS = 8192 * 4608

/** In one piece. The index of a day at 60 frames per second takes a third of it. */
const MOST_BYTES_AT_ONCE = 384 * 1024 ** 2

/** For whatever reads a file. Its process is bounded as well, see the server's limited-tool. */
export const READER_LIMITS: readonly string[] = ['-max_alloc', String(MOST_BYTES_AT_ONCE)]

/** For whatever decodes an upload: how much a file may make it do. */
export const DECODER_LIMITS: readonly string[] = [
  ...READER_LIMITS,
  ...['-max_pixels', String(MOST_PIXELS)],
  ...['-codec_whitelist', DECODERS],
]

/** The list of slots is our own; what lies behind them was let in by the rule above. */
export const SAFE_SLOTS: readonly string[] = SAFE_INPUT.map((value) =>
  value.startsWith('mov,') ? `concat,${value}` : value,
)

/** With its protocol spelled out, a path may start with '-' or contain ':' and is still only a path. */
export const fileUrl = (path: string): string => `file:${path}`
