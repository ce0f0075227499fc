/** Why an ffmpeg ended, as far as its end tells. */
const EXIT_REASONS = [
  'target-refused',
  'target-unreachable',
  'target-closed',
  'name-not-found',
  'tls-failed',
  'source-missing',
  'source-unreadable',
  'source-ended',
  'source-away',
  'timed-out',
  'killed',
  'stopped',
  'server-trouble',
  'unknown',
] as const
export type ExitReason = (typeof EXIT_REASONS)[number]

/** Why a broadcast is not on air: these, and what only the program knows. Rows keep them; the sentences are the screen's. */
export const STREAM_REASONS = [
  ...EXIT_REASONS,
  'stalled',
  'lagging',
  'out-of-capacity',
  'plan-ended',
  'schedule-ended',
  'suspended',
  'operator',
  'restored',
  'target-forbidden',
  'playlist-unplayable',
  'store-away',
] as const
export type StreamReason = (typeof STREAM_REASONS)[number]

export interface Exit {
  code: number | null
  signal: string | null
  /** The last lines of ffmpeg's stderr, redacted or not. */
  lastLines: readonly string[]
}

const UNANSWERED: ReadonlySet<string> = new Set<StreamReason>([
  'name-not-found',
  'target-unreachable',
  'tls-failed',
  'timed-out',
  'stalled',
  'source-away',
  'store-away',
  'server-trouble',
  'out-of-capacity',
  'playlist-unplayable',
])

/** An outage, of theirs, of our line or of this machine, may look like this; a key that is refused never does: somebody says no to it. */
export const nobodyAnswered = (reason: string): boolean => UNANSWERED.has(reason)

const STOP_SIGNALS = new Set(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'])
/** 255: ended by a signal that it caught; 123: by the fourth one. 130 and 143 are what a shell makes of SIGINT and SIGTERM. */
const STOP_CODES = new Set([255, 123, 130, 143])
const CRASH_CODES = new Set([134, 137, 139])
/** What a shell, or the loader of programs, makes of an ffmpeg that is missing or half-installed. Its words are about that file, not about a video. */
const NOT_RUN_CODES = new Set([126, 127])

/** What is written beside a broadcast may fail, and never ends it. */
const OF_THE_RECORDER = /^\[(?:segment|fifo)\b|, continuing with \d+\/\d+ slaves/
const NOT_PERMITTED = /Operation not permitted/
const TIMED_OUT = /(?:Connection|Operation) timed out/
const ASKED_TO_EXIT = /Immediate exit requested/

/** Why ffmpeg ended, told from the newest and most certain sign: how it was ended, then what its last lines say. */
export function exitReason({ code, signal, lastLines }: Exit): ExitReason {
  if (signal === 'SIGKILL') return 'killed'
  if (signal !== null && STOP_SIGNALS.has(signal)) return 'stopped'
  if (code !== null && NOT_RUN_CODES.has(code)) return 'server-trouble'
  const lines = lastLines.map((line) => line.trim()).filter((line) => !OF_THE_RECORDER.test(line))
  const has = (pattern: RegExp): boolean => lines.some((line) => pattern.test(line))
  // From 7.0 on the code is the error's own number, and 255 also stands for EPERM: a publisher that was refused.
  if (code !== null && STOP_CODES.has(code) && !has(NOT_PERMITTED)) return 'stopped'
  if (code === 0) return has(/Impossible to open/) ? 'source-missing' : 'source-ended'
  return fromLines(lines) ?? (signal !== null || (code !== null && CRASH_CODES.has(code)) ? 'killed' : 'unknown')
}

/** Why a relay ended: what the source's own connections complain of says nothing about the target. */
export function relayExitReason({ code, signal, lastLines }: Exit): ExitReason {
  const reason = exitReason({ code, signal, lastLines: lastLines.filter((line) => !OF_THE_SOURCE.test(line)) })
  return SOURCE_REASONS.has(reason) && signal === null ? 'source-away' : reason
}

const OF_THE_SOURCE = /^\[(?:hls|https?|httpproxy|crypto|tls|mpegts|mov)\b|^https?:|Connection to tcp:\/\/127\.0\.0\.1/
const SOURCE_REASONS = new Set<ExitReason>(['source-missing', 'source-unreadable', 'unknown'])

/**
 * The order matters. A failed write comes last in a broadcast's life, so it outweighs what was grumbled before, except
 * for a connection that never came to be; the source comes last, as a flawed file may grumble for hours and still play.
 */
function fromLines(lines: readonly string[]): ExitReason | null {
  const first = (pattern: RegExp): string | undefined => lines.find((line) => pattern.test(line))
  if (first(/Failed to resolve hostname/)) return 'name-not-found'
  if (first(/Connection to tcp:\S+ failed/)) return 'target-unreachable'
  const write = first(WRITE_FAILED)
  if (write !== undefined) return writeReason(write)
  if (first(/Cannot open connection tls:/)) return 'tls-failed'
  if (first(/Cannot open connection tcp:/)) return 'target-unreachable'
  const open = first(TARGET_NOT_OPENED)
  if (open !== undefined) return openReason(open, first(/Cannot read RTMP handshake response/) !== undefined)
  if (first(SOURCE_MISSING)) return 'source-missing'
  if (first(SOURCE_UNREADABLE)) return 'source-unreadable'
  return null
}

/** The first is 5.1's; the others are those of 6.1 and later. */
const WRITE_FAILED = /av_interleaved_write_frame\(\)|Error submitting a packet to the muxer|Error muxing a packet/

function writeReason(line: string): ExitReason {
  if (ASKED_TO_EXIT.test(line)) return 'stopped'
  if (TIMED_OUT.test(line)) return 'timed-out'
  // The server answered a running broadcast with an error, as when the key was taken over or withdrawn.
  if (NOT_PERMITTED.test(line)) return 'target-refused'
  if (/Invalid data found|Invalid argument/.test(line)) return 'source-unreadable'
  return 'target-closed'
}

const TARGET_NOT_OPENED =
  /^(?:\[out#.*?\] )?(?:Error opening output )?(?:rtmps?:\/\/\S+|\[secret\]): (?:[A-Z].*)$|\[rtmps? @ .*?\] Server error: |^\[tee @ .*?\] Slave '.*': error opening: /

function openReason(line: string, inHandshake: boolean): ExitReason {
  if (ASKED_TO_EXIT.test(line)) return 'stopped'
  if (TIMED_OUT.test(line)) return 'timed-out'
  // Something else than an RTMP server answered: an HTTP port, or TLS where plain RTMP was spoken.
  if (inHandshake) return 'target-unreachable'
  return HUNG_UP.test(line) || NOT_PERMITTED.test(line) ? 'target-refused' : 'unknown'
}

/**
 * Most platforms do not say no, they hang up on a key that they do not know, and ffmpeg calls that an I/O error or an
 * end. musl, as in Alpine's images, words the error in its own way.
 */
const HUNG_UP = /Input\/output error|I\/O error|End of file|Broken pipe|Connection reset|Server error/

const SOURCE_MISSING = /: No such file or directory$|Impossible to open '/
const SOURCE_UNREADABLE = new RegExp(
  [
    'moov atom not found',
    'Invalid data found when processing input',
    "not on whitelist '",
    'matches no streams',
    'does not contain any stream',
    'not compatible with flv',
    'Could not write header',
    ': (?:Is a directory|Permission denied|Invalid argument)$',
  ].join('|'),
)
