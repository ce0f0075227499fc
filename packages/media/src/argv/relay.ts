import { SAMPLE_RATE } from '../aac.ts'
import type { PictureOverlay } from '../prepare-plan.ts'
import { HEIGHT_HEADER, heightOf, SHARE_HEADER, toProxied } from '../proxied-address.ts'
import type { RelayPlan } from '../relay-plan.ts'
import type { Secret } from '../secret.ts'
import { videoKbps } from '../video-bitrates.ts'
import { brandGraph, endlessImageInput } from './brand-graph.ts'
import { DECODER_LIMITS, fileUrl } from './input.ts'
import { flvOutput, flvSlave } from './output.ts'
import { type RecordPlan, recordOutput, recordSlave } from './record.ts'

export interface RelayRun {
  readonly streamId: string
  readonly source: Secret
  /** Our own, which lets ffmpeg reach public addresses only. */
  readonly proxy: string
  readonly plan: RelayPlan
  readonly progressFile: string
  readonly target: Secret
  /** The judged address behind the name of the target; null: ffmpeg looks the name up itself. */
  readonly address: string | null
  /** Stands on a picture that is re-encoded; null: nothing does. */
  readonly logo?: RelayLogo | null
  /** What is sent is written to the disk as well; null: it is not. */
  readonly record?: RecordPlan | null
}

export interface RelayLogo {
  readonly at: PictureOverlay
  /** A PNG that we have made. */
  readonly file: string
}

const SOURCE_TIMEOUT_MICROSECONDS = 10_000_000
/** A playlist may name thousands of variants. Those of real ones have some thirty streams. */
const MAX_STREAMS = 64
const FPS = 30
/** Where it stands among the arguments of an ffmpeg, that one re-encodes its picture. */
export const RELAY_ENCODER = 'libx264'
const AUDIO_KBPS = 128

interface Access {
  readonly proxy: string
  /** Whose part of the proxy it is. */
  readonly share: string
}

/**
 * Segments may lie anywhere on the web, but never in a file of this machine; and what they hold must be what HLS holds. Nothing
 * but `http` goes through the proxy for certain: see proxied-address for https. `tcp` is what `http` is made of; the proxy takes
 * addresses of that scheme out of playlists.
 */
const onlineInput = (source: Secret, access: Access): string[] => [
  ...['-protocol_whitelist', 'http,tcp,crypto'],
  ...['-format_whitelist', 'hls,mpegts,mov,aac,mp3'],
  ...DECODER_LIMITS,
  ...['-max_streams', String(MAX_STREAMS)],
  ...['-http_proxy', access.proxy, '-headers', headersFor(source, access)],
  ...['-rw_timeout', String(SOURCE_TIMEOUT_MICROSECONDS)],
  ...['-i', toProxied(source.reveal())],
]

function headersFor(source: Secret, { share }: Access): string {
  const height = heightOf(source.reveal())
  return `${SHARE_HEADER}: ${share}\r\n${height ? `${HEIGHT_HEADER}: ${height}\r\n` : ''}`
}

/** Asks what a source holds; parseProbe reads the answer. */
export const relayProbeArgs = (source: Secret, access: Access): string[] => [
  ...['-v', 'error', '-hide_banner'],
  ...['-analyzeduration', '3000000', '-probesize', '5000000'],
  ...['-show_entries', RELAY_ENTRIES, '-of', 'json'],
  ...onlineInput(source, access),
]

const RELAY_ENTRIES =
  'format=format_name:stream=codec_type,codec_name,profile,width,height,pix_fmt,field_order,sample_aspect_ratio,avg_frame_rate,sample_rate,channels'

/**
 * Sends an online source on. It is read at the pace of its own time, some segments behind its newest: that much it may
 * stumble before a viewer sees it.
 */
export const relayArgs = ({
  streamId,
  source,
  proxy,
  plan,
  progressFile,
  logo = null,
  ...output
}: RelayRun): string[] => [
  '-nostdin',
  '-hide_banner',
  '-nostats',
  ...['-loglevel', 'error'],
  ...['-progress', fileUrl(progressFile), '-stats_period', '1'],
  '-re',
  ...onlineInput(source, { proxy, share: streamId }),
  ...(plan.sound === 'silence' ? ['-f', 'lavfi', '-i', `anullsrc=r=${SAMPLE_RATE}:cl=stereo`] : []),
  ...(logo ? endlessImageInput(logo.file) : []),
  ...outputsOf({ ...plan, logo }, output),
]

/**
 * A copied picture is sent as ever, with the recorder as a second output: ffmpeg's progress and its last words are those of the first. A
 * picture that is re-encoded is encoded once, for both: then ffmpeg does not know how many bytes it has sent.
 */
function outputsOf(plan: LogoPlan, { record, ...output }: Pick<RelayRun, 'target' | 'address' | 'record'>): string[] {
  const content = contentArgs(plan)
  if (!record) return [...content, ...flvOutput(output)]
  if (plan.picture.kind === 'copy') return [...content, ...flvOutput(output), ...content, ...recordOutput(record)]
  // As FLV wants it; for tee, which does not ask its slaves.
  const tag = plan.sound === 'copy' ? ['-tag:a', FLV_AAC_TAG] : []
  return [...content, ...tag, '-flags', '+global_header', '-f', 'tee', `${flvSlave(output)}|${recordSlave(record)}`]
}

/** Copied sound comes with the tag of MPEG-TS, which FLV refuses. MPEG-TS itself takes any. */
const FLV_AAC_TAG = '10'

type LogoPlan = RelayPlan & { readonly logo: RelayLogo | null }

const PICTURE = '[picture]'

const contentArgs = (plan: LogoPlan): string[] => {
  const { picture, sound, logo } = plan
  return [
    ...(sound === 'silence' ? ['-shortest'] : []),
    ...['-map', picture.kind === 'encode' && logo ? PICTURE : '0:V:0', '-map', sound === 'silence' ? '1:a:0' : '0:a:0'],
    ...pictureArgs(plan),
    ...(sound === 'copy'
      ? ['-c:a', 'copy']
      : ['-c:a', 'aac', '-b:a', `${AUDIO_KBPS}k`, '-ar', String(SAMPLE_RATE), '-ac', '2']),
  ]
}

/** The logo follows the source, and silence where that is made. */
function filtersOf({ width, height }: { width: number; height: number }, { sound, logo }: LogoPlan): string[] {
  const filters = ['yadif=deint=interlaced', `fps=${FPS}`, `scale=${width}:${height}`, 'setsar=1', 'format=yuv420p']
  if (!logo) return ['-vf', filters.join(',')]
  const graph = brandGraph(
    { width, height, inner: { width, height }, overlays: [logo.at] },
    { from: '[0:V:0]', into: PICTURE, filters, firstImage: sound === 'silence' ? 2 : 1, endless: true },
  )
  return ['-filter_complex', graph]
}

function pictureArgs(plan: LogoPlan): string[] {
  const { picture } = plan
  if (picture.kind === 'copy') return ['-c:v', 'copy']
  const { width, height } = picture
  const kbps = videoKbps(Math.min(width, height), FPS)
  return [
    ...filtersOf(picture, plan),
    ...['-c:v', RELAY_ENCODER, '-preset', 'veryfast', '-profile:v', 'high', '-bf', '2'],
    ...['-g', String(2 * FPS), '-keyint_min', String(2 * FPS), '-sc_threshold', '0'],
    ...['-b:v', `${kbps}k`, '-maxrate', `${kbps}k`, '-bufsize', `${kbps * 2}k`],
  ]
}
