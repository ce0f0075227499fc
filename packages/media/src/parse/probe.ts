export interface VideoFacts {
  /** Its number among the streams of the file. */
  index: number | null
  codec: string | null
  profile: string | null
  /** As ffprobe writes it: 42 is level 4.2. */
  level: number | null
  width: number | null
  height: number | null
  pixFmt: string | null
  fieldOrder: string | null
  /** Degrees; 0 without a display matrix, null when there is one that cannot be read. */
  rotation: number | null
  transfer: string | null
  /** The colour matrix, ffprobe's `color_space`. */
  matrix: string | null
  /** The shape of one pixel, as `16:15`; null when it is not told, which means square. */
  sampleAspect: string | null
  rFrameRate: string | null
  avgFrameRate: string | null
  /** Ticks per second of the clock that its packets are stamped with. */
  timescale: number | null
  startSeconds: number | null
  durationSeconds: number | null
  /** How many packets the index lists; null where there is no index. */
  packets: number | null
}

export interface AudioFacts {
  /** Its number among the streams of the file. */
  index: number | null
  codec: string | null
  profile: string | null
  sampleRate: number | null
  channels: number | null
  startSeconds: number | null
  durationSeconds: number | null
  /** How many packets the index lists, those that an edit list hides among them; null where there is no index. */
  packets: number | null
}

export interface Probe {
  formatName: string | null
  /** The start of the stream that begins first: ffmpeg moves all of them so that this becomes zero. */
  startSeconds: number | null
  durationSeconds: number | null
  /** Bits per second, of the whole file. */
  bitrate: number | null
  /** The first video that is no cover picture: the one that a broadcast maps. */
  video: VideoFacts | null
  /** The audio track that a player would choose: the first that is marked as the default, or the first of all. */
  audio: AudioFacts | null
  /** Which of the audio tracks that is, from 0; a broadcast maps the first. */
  audioTrack: number
  audioTracks: number
  /** All of its streams, also those that a broadcast leaves out. */
  tracks: readonly TrackFacts[]
  /** A few of its bytes may stand for any number of packets, which the tracks do not tell. ffprobe does not say so. */
  standsForMore?: boolean
}

export interface TrackFacts {
  index: number | null
  codec: string | null
  isSound: boolean
  isCover: boolean
  /** How many packets the index lists; null where there is no index. Sound that is not compressed lists every sample. */
  packets: number | null
}

type Key =
  | 'format'
  | 'streams'
  | 'format_name'
  | 'duration'
  | 'bit_rate'
  | 'index'
  | 'codec_type'
  | 'codec_name'
  | 'profile'
  | 'level'
  | 'width'
  | 'height'
  | 'pix_fmt'
  | 'field_order'
  | 'color_transfer'
  | 'color_space'
  | 'sample_aspect_ratio'
  | 'r_frame_rate'
  | 'avg_frame_rate'
  | 'time_base'
  | 'start_time'
  | 'sample_rate'
  | 'channels'
  | 'nb_frames'
  | 'disposition'
  | 'attached_pic'
  | 'default'
  | 'side_data_list'
  | 'side_data_type'
  | 'rotation'

/** An object of the answer: a misspelt key does not compile, and nothing is taken for granted about a value. */
type Json = { readonly [key in Key]?: unknown }

/** Reads the answer to probeArgs. Null when it is none. */
export const parseProbe = (json: string): Probe | null => probeIn(parseAnswer(json))

/** The same out of an answer that is parsed already. A field that is missing or senseless is null, never a guess. */
export function probeIn(answer: unknown): Probe | null {
  const root = asObject(answer)
  const format = asObject(root?.format)
  // MPEG-TS lists its streams a second time under "programs"; these are the ones that count.
  const streams = root?.streams
  if (format === null || !Array.isArray(streams)) return null
  const all = streams.map(asObject).filter((stream) => stream !== null)
  const video = all.find((stream) => stream.codec_type === 'video' && !isCoverPicture(stream))
  const audio = all.filter((stream) => stream.codec_type === 'audio')
  const audioTrack = Math.max(audio.findIndex(isDefault), 0)
  const chosen = audio[audioTrack]
  return {
    formatName: text(format.format_name),
    startSeconds: number(format.start_time),
    durationSeconds: notNegative(format.duration),
    bitrate: positive(format.bit_rate),
    video: video === undefined ? null : videoFacts(video),
    audio: chosen === undefined ? null : audioFacts(chosen),
    audioTrack,
    audioTracks: audio.length,
    tracks: all.map(trackFacts),
  }
}

const videoFacts = (stream: Json): VideoFacts => ({
  index: notNegative(stream.index),
  codec: text(stream.codec_name),
  profile: text(stream.profile),
  level: positive(stream.level),
  width: positive(stream.width),
  height: positive(stream.height),
  pixFmt: text(stream.pix_fmt),
  fieldOrder: text(stream.field_order),
  rotation: rotationOf(stream),
  transfer: text(stream.color_transfer),
  matrix: text(stream.color_space),
  sampleAspect: pixelAspect(stream.sample_aspect_ratio),
  rFrameRate: frameRate(stream.r_frame_rate),
  avgFrameRate: frameRate(stream.avg_frame_rate),
  timescale: timescale(stream.time_base),
  startSeconds: number(stream.start_time),
  durationSeconds: notNegative(stream.duration),
  packets: positive(stream.nb_frames),
})

const audioFacts = (stream: Json): AudioFacts => ({
  index: notNegative(stream.index),
  codec: text(stream.codec_name),
  profile: text(stream.profile),
  sampleRate: positive(stream.sample_rate),
  channels: positive(stream.channels),
  startSeconds: number(stream.start_time),
  durationSeconds: notNegative(stream.duration),
  packets: positive(stream.nb_frames),
})

const trackFacts = (stream: Json): TrackFacts => ({
  index: notNegative(stream.index),
  codec: text(stream.codec_name),
  isSound: stream.codec_type === 'audio',
  isCover: isCoverPicture(stream),
  packets: positive(stream.nb_frames),
})

const isCoverPicture = (stream: Json): boolean => asObject(stream.disposition)?.attached_pic === 1

const isDefault = (stream: Json): boolean => asObject(stream.disposition)?.default === 1

function rotationOf(stream: Json): number | null {
  const sideData = stream.side_data_list
  if (!Array.isArray(sideData)) return 0
  const matrix = sideData.map(asObject).find((entry) => entry?.side_data_type === 'Display Matrix')
  if (matrix === undefined || matrix === null) return 0
  const rotation = number(matrix.rotation)
  // ffprobe 5.1 writes -0 for an identity matrix, which is not Object.is(0).
  return rotation === 0 ? 0 : rotation
}

/** For probeIn, and for edgesIn: a large answer is parsed once. Null when it is no JSON. */
export function parseAnswer(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

const asObject = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value !== 'unknown' && value !== 'N/A' ? value : null

/** ffprobe writes some numbers as numbers and some as text; both must be decimal, so that '' and '0x10' are none. */
function number(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : null
}

const notNegative = (value: unknown): number | null => {
  const read = number(value)
  return read !== null && read >= 0 ? read : null
}

const positive = (value: unknown): number | null => {
  const read = number(value)
  return read !== null && read > 0 ? read : null
}

const frameRate = (value: unknown): string | null =>
  typeof value === 'string' && /^[1-9]\d*\/[1-9]\d*$/.test(value) ? value : null

/** ffprobe writes `0:1` for one that is not told. */
const pixelAspect = (value: unknown): string | null =>
  typeof value === 'string' && /^[1-9]\d*:[1-9]\d*$/.test(value) ? value : null

const timescale = (value: unknown): number | null =>
  typeof value === 'string' && /^1\/[1-9]\d*$/.test(value) ? Number(value.slice(2)) : null
