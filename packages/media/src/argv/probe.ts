import { DECODER_LIMITS, fileUrl, SAFE_INPUT } from './input.ts'

/** Enough for a file whose index lies far in; a bound, so that a crafted file cannot keep ffprobe busy. */
const ANALYZE_MICROSECONDS = 10_000_000
const PROBE_BYTES = 20_000_000

const ENTRIES = [
  'format=format_name,start_time,duration,bit_rate',
  'stream=index,codec_type,codec_name,profile,level,width,height,pix_fmt,field_order,color_transfer,color_space,sample_aspect_ratio,r_frame_rate,avg_frame_rate,time_base,start_time,duration,sample_rate,channels,nb_frames',
  'stream_disposition=attached_pic,default',
  'stream_side_data=side_data_type,rotation',
].join(':')

/**
 * ffprobe's arguments; parseAnswer reads the answer. Only named entries: tags are the uploader's text, of any length. `endSeconds`: where a
 * file ends whose edges are wanted too, for edgesIn; null: no packet is read.
 */
export const probeArgs = (path: string, endSeconds: number | null = null): string[] => [
  ...base(),
  ...['-show_entries', endSeconds === null ? ENTRIES : `${ENTRIES}:packet=${PACKET_WITH_HEADER}`],
  ...(endSeconds === null ? [] : ['-read_intervals', edgesOf(endSeconds)]),
  // Compact: a packet on one line takes half the bytes.
  ...['-of', 'json=c=1'],
  ...['-i', fileUrl(path)],
]

/**
 * One line `pts,dts,duration,size,flags` per video packet, for parseKeyframes. It reads the file and decodes nothing. With
 * `seconds` it stops there, since a day of video has millions of packets.
 */
export const packetProbeArgs = (path: string, seconds?: number): string[] => [
  ...base(),
  ...['-select_streams', 'V:0'],
  ...['-show_entries', 'packet=pts_time,dts_time,duration_time,size,flags'],
  ...(seconds === undefined ? [] : ['-read_intervals', `%+${seconds}`]),
  ...['-of', 'csv=p=0'],
  ...['-i', fileUrl(path)],
]

/** What a seam is made of: how the file begins, and its last group of pictures with what surrounds it. */
const HEAD_SECONDS = 2
const TAIL_SECONDS = 12
const EDGE_PACKET = 'stream_index,pts_time,dts_time,duration_time,size,flags'
/** Without its size: for the seam alone, and each byte of it is parsed in one piece. */
const PACKET_WITH_HEADER = 'stream_index,pts_time,dts_time,duration_time,flags'

const edgesOf = (endSeconds: number): string => `%+${HEAD_SECONDS},${(endSeconds - TAIL_SECONDS).toFixed(3)}%`

/**
 * One line `stream,pts,dts,duration,size,flags` per packet of any stream, in the order of the file, for edgeScan. `endSeconds`: where the file
 * ends, so that only its edges are read; null: every packet is.
 */
export const edgeProbeArgs = (path: string, endSeconds: number | null): string[] => [
  ...base(),
  ...['-show_entries', `packet=${EDGE_PACKET}`],
  ...(endSeconds === null || endSeconds <= HEAD_SECONDS + TAIL_SECONDS ? [] : ['-read_intervals', edgesOf(endSeconds)]),
  ...['-of', 'csv=p=0'],
  ...['-i', fileUrl(path)],
]

/** Five seconds of most videos. */
const PACKETS_OF_STRETCH = 150

/** One line `pts,flags` per packet: the first is the key frame at which a broadcast can begin that should go on at `seconds`. */
export const keyframesFromArgs = (path: string, seconds: number): string[] => [
  ...base(),
  ...['-select_streams', 'V:0'],
  ...['-show_entries', 'packet=pts_time,flags'],
  ...['-read_intervals', `${seconds.toFixed(3)}%+#${PACKETS_OF_STRETCH}`],
  ...['-of', 'csv=p=0'],
  ...['-i', fileUrl(path)],
]

/** One line: how long the container says it lasts, in seconds. ffmpeg's concat demuxer goes by the same figure. */
export const durationArgs = (path: string): string[] => [
  ...base(),
  ...['-show_entries', 'format=duration'],
  ...['-of', 'csv=p=0'],
  ...['-i', fileUrl(path)],
]

/** One line `start,duration` of the container, in seconds. */
export const extentArgs = (path: string): string[] => [
  ...base(),
  ...['-show_entries', 'format=start_time,duration'],
  ...['-of', 'csv=p=0'],
  ...['-i', fileUrl(path)],
]

/**
 * What two videos must have in common to follow each other in one broadcast: equal text, equal parameters. ffmpeg's concat demuxer
 * keeps the clock of the first file, so streams that count in another time base jump by half a minute at the join.
 */
export const likenessArgs = (path: string): string[] => [
  ...base(),
  ...['-show_data_hash', 'md5'],
  ...[
    '-show_entries',
    'stream=codec_type,codec_name,profile,level,width,height,pix_fmt,r_frame_rate,time_base,sample_rate,channels,extradata_hash',
  ],
  ...['-of', 'compact=p=0'],
  ...['-i', fileUrl(path)],
]

const base = (): string[] => [
  ...['-v', 'error', '-hide_banner'],
  ...SAFE_INPUT,
  ...DECODER_LIMITS,
  ...['-analyzeduration', String(ANALYZE_MICROSECONDS), '-probesize', String(PROBE_BYTES)],
]
