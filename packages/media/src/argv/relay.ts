import { SAMPLE_RATE } from '../aac.ts'
import { toProxied } from '../proxied-address.ts'
import type { RelayPlan } from '../relay-plan.ts'
import type { Secret } from '../secret.ts'
import { videoKbps } from '../video-bitrates.ts'
import { DECODER_LIMITS, fileUrl } from './input.ts'
import { flvOutput } from './output.ts'

export interface RelayRun {
  readonly source: Secret
  /** Our own, which lets ffmpeg reach public addresses only. */
  readonly proxy: string
  readonly plan: RelayPlan
  readonly progressFile: string
  readonly target: Secret
  /** The judged address behind the name of the target; null: ffmpeg looks the name up itself. */
  readonly address: string | null
}

const SOURCE_TIMEOUT_MICROSECONDS = 10_000_000
const FPS = 30
const AUDIO_KBPS = 128

/**
 * Segments may lie anywhere on the web, but never in a file of this machine; and what they hold must be what HLS holds. Nothing
 * but `http` goes through the proxy for certain: see proxied-address for https. `tcp` is what `http` is made of; the proxy takes
 * addresses of that scheme out of playlists.
 */
const onlineInput = (source: Secret, proxy: string): string[] => [
  ...['-protocol_whitelist', 'http,tcp,crypto'],
  ...['-format_whitelist', 'hls,mpegts,mov,aac,mp3'],
  ...DECODER_LIMITS,
  ...['-http_proxy', proxy],
  ...['-rw_timeout', String(SOURCE_TIMEOUT_MICROSECONDS)],
  ...['-i', toProxied(source.reveal())],
]

/** Asks what a source holds; parseProbe reads the answer. */
export const relayProbeArgs = (source: Secret, proxy: string): string[] => [
  ...['-v', 'error', '-hide_banner'],
  ...['-analyzeduration', '3000000', '-probesize', '5000000'],
  ...['-show_entries', RELAY_ENTRIES, '-of', 'json'],
  ...onlineInput(source, proxy),
]

const RELAY_ENTRIES =
  'format=format_name:stream=codec_type,codec_name,profile,width,height,pix_fmt,field_order,sample_aspect_ratio,avg_frame_rate,sample_rate,channels'

/**
 * Sends an online source on. It is read at the pace of its own time, some segments behind its newest: that much it may
 * stumble before whoever watches sees it.
 */
export const relayArgs = ({ source, proxy, plan, progressFile, target, address }: RelayRun): string[] => [
  '-nostdin',
  '-hide_banner',
  '-nostats',
  ...['-loglevel', 'error'],
  ...['-progress', fileUrl(progressFile), '-stats_period', '1'],
  '-re',
  ...onlineInput(source, proxy),
  ...(plan.sound === 'silence' ? ['-f', 'lavfi', '-i', `anullsrc=r=${SAMPLE_RATE}:cl=stereo`, '-shortest'] : []),
  ...['-map', '0:V:0', '-map', plan.sound === 'silence' ? '1:a:0' : '0:a:0'],
  ...pictureArgs(plan.picture),
  ...(plan.sound === 'copy'
    ? ['-c:a', 'copy']
    : ['-c:a', 'aac', '-b:a', `${AUDIO_KBPS}k`, '-ar', String(SAMPLE_RATE), '-ac', '2']),
  ...flvOutput({ target, address }),
]

function pictureArgs(picture: RelayPlan['picture']): string[] {
  if (picture.kind === 'copy') return ['-c:v', 'copy']
  const { width, height } = picture
  const kbps = videoKbps(Math.min(width, height), FPS)
  return [
    ...['-vf', `yadif=deint=interlaced,fps=${FPS},scale=${width}:${height},setsar=1,format=yuv420p`],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-bf', '2'],
    ...['-g', String(2 * FPS), '-keyint_min', String(2 * FPS), '-sc_threshold', '0'],
    ...['-b:v', `${kbps}k`, '-maxrate', `${kbps}k`, '-bufsize', `${kbps * 2}k`],
  ]
}
