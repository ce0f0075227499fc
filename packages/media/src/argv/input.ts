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

/** The list of slots is our own; what lies behind them was let in by the rule above. */
export const SAFE_SLOTS: readonly string[] = SAFE_INPUT.map((value) =>
  value.startsWith('mov,') ? `concat,${value}` : value,
)

/** With its protocol spelled out, a path may start with '-' or contain ':' and is still only a path. */
export const fileUrl = (path: string): string => `file:${path}`
