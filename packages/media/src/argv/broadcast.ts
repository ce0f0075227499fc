import type { Secret } from '../secret.ts'
import { fileUrl, READER_LIMITS, SAFE_INPUT, SAFE_SLOTS } from './input.ts'
import { flvOutput } from './output.ts'
import { type RecordPlan, recordOutput } from './record.ts'

export interface BroadcastPlan {
  /** A file that is played once, or the two slots of a loop; see slot-list. */
  source: { kind: 'once'; path: string } | { kind: 'slots'; listFile: string; wraps: boolean }
  progressFile: string
  /** What the video needs, in kilobits per second, where it is known. */
  bitrateKbps?: number
  target: Secret
  /** The address behind the target's name to connect to; without one ffmpeg looks the name up itself. */
  address?: string | null
  /** False only for an RTMPS server with a certificate of its own making, as in tests. Plain RTMP has none to check. */
  verifyTls?: boolean
  /** For a video that stands in for an online source: what is sent is written to the disk as well. */
  record?: RecordPlan | null
}

// Capital V leaves out cover pictures, which count as video and which FLV cannot carry.
const CONTENT = ['-map', '0:V:0', '-map', '0:a:0?', '-c', 'copy']

/**
 * One ffmpeg per target, so one stalled platform cannot stall the others. It copies and filters nothing: on 5.1 a
 * bitstream filter on a looping input loses the audio after the first pass. A recorder's own, inside of its muxer, does not.
 */
export function broadcastArgs(plan: BroadcastPlan): string[] {
  return [
    '-nostdin',
    '-hide_banner',
    '-nostats',
    // All that exitReason reads is an error; warnings of a flawed file would repeat with every loop, for weeks.
    ...['-loglevel', 'error'],
    // A file and not a pipe: ffmpeg must outlive the program, and be found again by the next one.
    ...['-progress', fileUrl(plan.progressFile), '-stats_period', '1'],
    ...READER_LIMITS,
    '-re',
    ...sourceArgs(plan.source),
    ...CONTENT,
    ...(fillsBuffers(plan.bitrateKbps) ? ['-flush_packets', '0'] : []),
    ...flvOutput(plan),
    ...(plan.record ? [...CONTENT, ...recordOutput(plan.record)] : []),
  ]
}

/**
 * A packet at a time costs a tenth more of the processor. ffmpeg's buffer of 32 KiB is full within half a second at this rate; a
 * video of less would arrive in bursts.
 */
const fillsBuffers = (bitrateKbps = 0): boolean => bitrateKbps >= 512

function sourceArgs(source: BroadcastPlan['source']): string[] {
  if (source.kind === 'once') return [...SAFE_INPUT, '-i', fileUrl(source.path)]
  return [
    ...(source.wraps ? ['-stream_loop', '-1'] : []),
    ...SAFE_SLOTS,
    // The masters are alike, so nothing has to be converted between them.
    ...['-f', 'concat', '-safe', '0', '-auto_convert', '0'],
    ...['-i', fileUrl(source.listFile)],
  ]
}
