import { AAC_FRAME_SAMPLES, audioSamplesWithin, SAMPLE_RATE } from '../aac.ts'
import { rateValue } from '../frame-rate.ts'
import type { CopyPicture, EncodePicture, MasterRecipe, PreparePlan } from '../prepare-plan.ts'
import { brandGraph, cropped, imageInputs, isBranded, surrounded } from './brand-graph.ts'
import { DECODER_LIMITS, fileUrl, SAFE_INPUT } from './input.ts'

export interface PreparePaths {
  input: string
  output: string
  progressTo: 'pipe:1'
  /** The files of the plan's overlays, in their order: PNGs that we have made. */
  overlays?: readonly string[]
}

/** The largest that Twitch takes; the others take it too. */
const AUDIO_KBPS = 160

/** Seconds of the bitrate: the buffer by which a moment may exceed it. */
const BUFFER_SECONDS = 1.5

/** What a damaged end may cost a picture before the master counts as a failure. */
const MAX_PADDING_SECONDS = 2

/** Packets of the picture that wait for the first sound: some minutes. ffmpeg's own 128 above 50 MB are less than one of a good picture. */
const MOST_WAITING_PACKETS = 8192

/** Makes the loop-safe master of a video: an MP4 that can be copied for weeks without a step in its timestamps. */
export const prepareArgs = (
  plan: PreparePlan,
  { input, output, progressTo, overlays = [] }: PreparePaths,
): string[] => [
  '-nostdin',
  '-hide_banner',
  '-nostats',
  ...['-loglevel', 'error'],
  ...['-progress', progressTo, '-stats_period', '1'],
  '-y',
  ...DECODER_LIMITS,
  ...(plan.incomplete ? ['-fflags', '+discardcorrupt'] : []),
  ...SAFE_INPUT,
  ...['-i', fileUrl(input)],
  ...(plan.audioTrack === null ? ['-f', 'lavfi', '-i', `anullsrc=r=${SAMPLE_RATE}:cl=stereo`] : []),
  ...imageInputs(overlays),
  ...masterOutput(plan, output),
]

const PICTURE = '[picture]'

const masterOutput = (plan: PreparePlan, output: string): string[] => [
  // Capital V leaves out cover pictures. Subtitles, chapters and tags have no place in a broadcast.
  ...[
    '-map',
    isBranded(plan.picture) ? PICTURE : '0:V:0',
    '-map',
    plan.audioTrack === null ? '1:a:0' : `0:a:${plan.audioTrack}`,
  ],
  ...['-map_metadata', '-1', '-map_chapters', '-1'],
  ...(plan.picture.kind === 'copy' ? copiedPicture(plan.picture) : encodedPicture(plan.picture, plan)),
  ...sound(plan),
  ...['-max_muxing_queue_size', String(MOST_WAITING_PACKETS)],
  ...['-movflags', '+faststart', '-f', 'mp4', fileUrl(output)],
]

const SAMPLE_FRAMES = 12

/** A moment of black, made as any master of this recipe is: its parameters are theirs. */
export function sampleArgs(recipe: MasterRecipe, output: string): string[] {
  const { width, height, fps } = recipe
  const durationSeconds = SAMPLE_FRAMES / rateValue(fps)
  const picture: EncodePicture = {
    ...{ kind: 'encode', ...recipe, inner: { width, height }, frames: SAMPLE_FRAMES, firstFill: null },
    ...{ deinterlace: 'no', hdrTransfer: null, matrix: 'bt709' },
  }
  const audioSamples = audioSamplesWithin(durationSeconds)
  const plan = { durationSeconds, picture, pictureStartsAt: 0, audioTrack: null, incomplete: false, audioSamples }
  return [
    ...['-nostdin', '-hide_banner', '-nostats', '-loglevel', 'error', '-y'],
    ...['-f', 'lavfi', '-i', `color=black:size=${width}x${height}:rate=${fps}`],
    ...['-f', 'lavfi', '-i', `anullsrc=r=${SAMPLE_RATE}:cl=stereo`],
    ...masterOutput(plan, output),
  ]
}

/**
 * MPEG-TS and Matroska start late, and an MP4 would keep that as an empty stretch before the picture. With another clock
 * than the source's, ffmpeg 5.1 misplaces the first packet, which the filter holds back while the header is written.
 */
const copiedPicture = ({ timescale }: CopyPicture): string[] => [
  ...['-c:v', 'copy', '-bsf:v', 'setts=pts=PTS-STARTPTS:dts=DTS-STARTPTS'],
  ...(timescale === null ? [] : ['-video_track_timescale', String(timescale)]),
]

/** The images follow the video, and silence where that is made. */
const filtersOf = (picture: EncodePicture, { pictureStartsAt, audioTrack }: PreparePlan): string[] =>
  isBranded(picture)
    ? [
        '-filter_complex',
        brandGraph(picture, {
          from: '[0:V:0]',
          into: PICTURE,
          filters: pictureFilters(picture, pictureStartsAt),
          firstImage: audioTrack === null ? 2 : 1,
        }),
      ]
    : ['-vf', pictureFilters(picture, pictureStartsAt).join(',')]

function encodedPicture(picture: EncodePicture, plan: PreparePlan): string[] {
  const everyTwoSeconds = String(Math.round(2 * rateValue(picture.fps)))
  const bufferKbits = picture.kbps * BUFFER_SECONDS
  return [
    ...filtersOf(picture, plan),
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-bf', '2'],
    // A key frame every two seconds, exactly, and none that leans on a picture before it.
    ...['-g', everyTwoSeconds, '-keyint_min', everyTwoSeconds, '-sc_threshold', '0', '-flags', '+cgop'],
    ...['-b:v', `${picture.kbps}k`, '-maxrate', `${picture.kbps}k`, '-bufsize', `${bufferKbits}k`],
    ...(picture.firstFill === null
      ? []
      : ['-rc_init_occupancy', `${Math.max(1, Math.round(bufferKbits * picture.firstFill))}k`]),
    ...['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'],
  ]
}

function pictureFilters(picture: EncodePicture, startsAt: number): string[] {
  const { fps, frames, deinterlace, hdrTransfer, matrix } = picture
  const { width, height } = picture.inner
  return [
    ...(deinterlace === 'no' ? [] : [`yadif=deint=${deinterlace === 'every-frame' ? 'all' : 'interlaced'}`]),
    // The first frame may come later than the file says: it is then shown from zero on, and the sound stays with it.
    `setpts=PTS-${seconds(startsAt)}/TB`,
    `fps=${fps}:start_time=0`,
    // Exactly as many frames as were planned, since the sound is cut to them.
    `tpad=stop_mode=clone:stop_duration=${MAX_PADDING_SECONDS}`,
    `trim=end_frame=${frames}`,
    ...cropped(picture),
    ...(hdrTransfer === null
      ? [`scale=${width}:${height}:in_color_matrix=${matrix}:out_color_matrix=bt709:out_range=tv`]
      : [`scale=${width}:${height}`, ...toneMapping(hdrTransfer)]),
    'format=yuv420p',
    ...surrounded(picture),
    'setsar=1',
    'setparams=field_mode=prog:range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709',
  ]
}

/** The frames are tagged first, because zscale refuses to guess what a file does not tell. */
const toneMapping = (transfer: string): string[] => [
  `setparams=color_primaries=bt2020:color_trc=${transfer}:colorspace=bt2020nc`,
  'zscale=t=linear:npl=100',
  'format=gbrpf32le',
  'zscale=p=bt709',
  'tonemap=hable:desat=0',
  'zscale=t=bt709:m=bt709:r=tv',
]

/**
 * An AAC encoder puts one frame of priming in front. That much of the sound is left out and the packets are moved back
 * to zero, so that the sound starts with the picture, stays in step with it and ends inside it.
 */
const sound = (plan: PreparePlan): string[] => [
  ...['-af', soundFilters(plan).join(',')],
  ...['-c:a', 'aac', '-b:a', `${AUDIO_KBPS}k`, '-ar', String(SAMPLE_RATE), '-ac', '2'],
  ...['-bsf:a', `setts=ts=TS+${AAC_FRAME_SAMPLES}`],
]

const soundFilters = ({ audioTrack, pictureStartsAt, audioSamples }: PreparePlan): string[] => [
  ...(audioTrack === null
    ? []
    : [
        `asetpts=PTS-${seconds(pictureStartsAt)}/TB`,
        // Fills holes and what is missing before the picture's start, and cuts what comes before it.
        `aresample=${SAMPLE_RATE}:async=1:first_pts=0`,
        'aformat=sample_fmts=fltp:channel_layouts=stereo',
      ]),
  'apad',
  `atrim=start_sample=${AAC_FRAME_SAMPLES}:end_sample=${audioSamples}`,
  'asetpts=PTS-STARTPTS',
]

/** In brackets, since it may be negative; six decimals, since an expression does not read 1e-7. */
const seconds = (value: number): string => `(${value.toFixed(6)})`
