import { DECODER_LIMITS, fileUrl } from './input.ts'

/** A second output of a broadcast's ffmpeg: what it sends, in pieces on the disk. */
export interface RecordPlan {
  /** From where ffmpeg runs. It has harmless letters only, since two muxers read it, each with escapes of its own. */
  readonly folder: string
  readonly pieceSeconds: number
}

/** A line for each finished piece: its name, and from where to where it lasts in seconds of the session. */
export const PIECE_LIST = 'list.csv'

const HARMLESS = /^\w[\w./-]*$/

/**
 * A disk that stands still for this many packets loses them all: between 15 and 30 seconds, at most some tens of megabytes. It is more than
 * ffmpeg lets pass as a gap of the source, so that a reader of the list knows a disk that was too slow by its gaps.
 */
const QUEUED_PACKETS = 2048

/**
 * The recorder as a slave of `tee`. It has a thread and a queue of its own that never makes the broadcast wait; where it fails, `tee` goes
 * on without it. Each piece begins with a key frame and can be read by itself.
 */
export function recordSlave({ folder, pieceSeconds }: RecordPlan): string {
  if (!HARMLESS.test(folder)) throw new Error('this is no folder for a recording')
  const fifo = [`queue_size=${QUEUED_PACKETS}`, 'drop_pkts_on_overflow=1', 'restart_with_keyframe=1']
  const options = [
    ...['f=segment', `segment_time=${pieceSeconds}`, 'segment_format=mpegts'],
    ...[`segment_list=${folder}/${PIECE_LIST}`, 'segment_list_type=csv'],
    // Read three times: by tee, as an option of the slave, and as options of the queue.
    ...['use_fifo=1', `fifo_options=${fifo.join('\\\\\\:')}`, 'onfail=ignore'],
  ]
  return `[${options.join(':')}]${folder}/%06d.ts`
}

/** `tee` ends with its last slave: one that takes everything and never fails keeps it, and so the broadcast. */
export const recordOutput = (plan: RecordPlan): string[] => ['-f', 'tee', `${recordSlave(plan)}|[f=null]-`]

/** Asks how long a torn piece is. Its content is what a stranger's source sent. */
export const pieceProbeArgs = (path: string): string[] => [
  ...['-v', 'error', '-hide_banner'],
  ...['-show_entries', 'stream=codec_type:format=duration', '-of', 'json'],
  ...['-protocol_whitelist', 'file', '-f', 'mpegts'],
  ...DECODER_LIMITS,
  ...['-i', fileUrl(path)],
]
