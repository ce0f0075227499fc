import { MOST_PIXELS } from './argv/input.ts'
import { outputRate, rateValue } from './frame-rate.ts'
import { isMp4 } from './idle-packets.ts'
import type { Probe, VideoFacts } from './parse/probe.ts'
import type { PreparePlan } from './prepare-plan.ts'

/** A day at 60 frames per second, two at 30. What a file of a few kilobytes claims may be years. */
export const MOST_FRAMES = 24 * 3600 * 60

/** A slide show at one picture a second is made into 24 a second or 60; beyond that it is bounded by time. */
const MADE_PER_PACKET = 60
/** So much of a standing picture may be made of next to nothing. */
const MADE_SECONDS = 3600

/** A frame takes its bytes and its place in an index. Where a file has more packets, it shows the same ones again and again. */
const BYTES_PER_PACKET = 8
const MOST_PACKETS = 2 * MOST_FRAMES

/** Two days at 30 pictures a second with their sound have 13 million. ffmpeg keeps some 50 bytes of each in memory. */
const MOST_LISTED_PACKETS = 3 * MOST_FRAMES

/** A film with the sound and the subtitles of many languages has some thirty. What is found out of a file tells of each of them. */
const MOST_TRACKS = 64

/** Four times what studios record with, of each. A header may claim any rate, and a decoder makes as many samples of a few bytes. */
const MOST_SAMPLE_RATE = 768_000
const MOST_CHANNELS = 32

/** Sound of which the index may list every sample, or every few of them; ffmpeg reads many of them as one packet. */
const LISTS_SAMPLES = /^(?:pcm_|adpcm_|mace|gsm|qdm|qcelp|dvaudio|mp[23]$)/

const SLOWEST_BYTES_PER_SECOND = 4_000_000
/** Bytes of the whole file, of which a look reads the index only. */
const SLOWEST_INDEXED_BYTES_PER_SECOND = 20_000_000
const SLOWEST_PACKETS_PER_SECOND = 10_000
/** A share of the video's own pace: 4K at 60 frames per second on one busy core. */
const SLOWEST_PREPARATION = 1 / 8
/** A small picture gets less than that: the same core makes so much of HDR. */
const SLOWEST_PIXELS_PER_SECOND = 4_000_000
/** Times its own pace, whatever it is; and what sound of many channels takes beyond that. */
const SLOWEST_SOUND = 2
const SLOWEST_SAMPLES_PER_SECOND = 4_000_000
/** However long a video is: nobody's holds the long lane up for more than four days. */
const LONGEST_PREPARATION_MS = 96 * 3_600_000
const SLOWEST_MOVE_BYTES_PER_SECOND = 5_000_000
/** An original is copied at this pace, on a disk that others use too. */
const USUAL_COPY_BYTES_PER_SECOND = 20_000_000

export type Excess = 'too-many-tracks' | 'too-many-pixels' | 'too-many-frames' | 'too-many-packets' | 'too-much-sound'

/** What a file of so many bytes claims that nobody would work through; null: it can be looked at further. */
export function excessOf(probe: Probe, bytes: number = Number.POSITIVE_INFINITY): Excess | null {
  const { video, audio, durationSeconds, tracks } = probe
  if (video === null) return null
  if (tracks.length > MOST_TRACKS) return 'too-many-tracks'
  if ((video.width ?? 0) * (video.height ?? 0) > MOST_PIXELS) return 'too-many-pixels'
  const isTooMuchSound = (audio?.sampleRate ?? 0) > MOST_SAMPLE_RATE || (audio?.channels ?? 0) > MOST_CHANNELS
  if (isTooMuchSound) return 'too-much-sound'
  const frames = framesIn(video, video.durationSeconds ?? durationSeconds ?? 0)
  if (Math.max(frames, video.packets ?? 0) > MOST_FRAMES) return 'too-many-frames'
  return listedPackets(probe) > Math.min(MOST_LISTED_PACKETS, packetsIn(bytes)) ? 'too-many-packets' : null
}

/** Those in all tracks together. Where a container lists nothing, its header may count the bytes of its sound: an AVI does, of MP3. */
function listedPackets(probe: Probe): number {
  const isListed = (codec: string): boolean => codec === 'aac' || (isMp4(probe) && !LISTS_SAMPLES.test(codec))
  return probe.tracks
    .filter(({ isSound, codec }) => !isSound || isListed(codec ?? ''))
    .reduce((sum, { packets }) => sum + (packets ?? 0), 0)
}

/** What making the picture anew has to go through: by what the file says of itself, or by what it holds, whichever is more. */
export function pixelsToMake({ video, durationSeconds }: Probe, packets: number): number {
  if (video === null) return 0
  const frames = Math.max(packets, framesIn(video, video.durationSeconds ?? durationSeconds ?? 0))
  return (video.width ?? 0) * (video.height ?? 0) * frames
}

/** What making a master has to go through, by what is read and by what is made. */
export interface Work {
  readonly seconds: number
  /** None where the picture is copied. */
  readonly pixels: number
  /** All channels together. */
  readonly samples: number
}

const USUAL_SAMPLES_PER_SECOND = 2 * 48_000

/** `packets`: as many as its picture has, by a scan. */
export function workIn(
  probe: Probe,
  { picture, pictureStartsAt, durationSeconds }: Pick<PreparePlan, 'picture' | 'pictureStartsAt' | 'durationSeconds'>,
  packets: number,
): Work {
  // What lies before the picture is read too.
  const seconds = Math.max(0, pictureStartsAt) + durationSeconds
  const made = picture.kind === 'copy' ? 0 : picture.width * picture.height * picture.frames
  const { sampleRate, channels } = probe.audio ?? {}
  return {
    seconds,
    pixels: made === 0 ? 0 : Math.max(pixelsToMake(probe, packets), made),
    samples: probe.audio ? seconds * (sampleRate && channels ? sampleRate * channels : USUAL_SAMPLES_PER_SECOND) : 0,
  }
}

const HOUR_PIXELS = 1920 * 1080 * 30 * 3600
/** A hundred hours of ordinary sound are made about as fast as an hour of such a picture. */
const HOUR_SAMPLES = 100 * 3600 * USUAL_SAMPLES_PER_SECOND

/**
 * Whether re-encoding a picture or a sound would keep others waiting for longer than a plan allows. `hours`: of 1080p at 30 pictures a
 * second, whatever its size and rate are.
 */
export const isTooLongToMake = ({ pixels, samples }: Work, hours: number): boolean =>
  Math.max(pixels / HOUR_PIXELS, samples / HOUR_SAMPLES) > hours

const framesIn = (video: VideoFacts, seconds: number): number =>
  seconds * rateValue(outputRate(video, Number.POSITIVE_INFINITY))

/** Whether nearly all frames of the master would be made out of nothing: `packets` are those of the source's picture. */
export function isTooSparse({ picture }: Pick<PreparePlan, 'picture'>, packets: number): boolean {
  if (picture.kind === 'copy') return false
  return picture.frames > packets * MADE_PER_PACKET + MADE_SECONDS * rateValue(picture.fps)
}

/** More packets of a picture than a file of this size can hold are repetitions, such as an edit list makes. */
export const mostPackets = (bytes: number): number => Math.min(MOST_PACKETS, packetsIn(bytes))

const packetsIn = (bytes: number): number => 1_000 + bytes / BYTES_PER_PACKET

/** How long a look into a file may take: the index of a day of video lies at its end, and a slow disk has others to serve. */
export const inspectionMs = (bytes: number, baseMs: number): number =>
  Math.min(10 * baseMs, baseMs + (1000 * bytes) / SLOWEST_INDEXED_BYTES_PER_SECOND)

/** How long reading every packet of a file may take; half a day of video on a slow disk passes. */
export const scanMs = (bytes: number, baseMs: number): number =>
  baseMs + 1000 * (bytes / SLOWEST_BYTES_PER_SECOND + mostPackets(bytes) / SLOWEST_PACKETS_PER_SECOND)

/**
 * How long making a master of an original of so many bytes may take in all. Nobody knows how much sound a packet holds before it is decoded:
 * the time is what bounds that.
 */
export function preparationMs({ seconds, pixels, samples }: Work, bytes: number, baseMs: number): number {
  const picture = Math.min(seconds / SLOWEST_PREPARATION, pixels / SLOWEST_PIXELS_PER_SECOND)
  const sound = seconds / SLOWEST_SOUND + samples / SLOWEST_SAMPLES_PER_SECOND
  return baseMs + Math.min(LONGEST_PREPARATION_MS, 1000 * (picture + sound + bytes / SLOWEST_MOVE_BYTES_PER_SECOND))
}

/** How long what is made may keep others waiting in the lane of what takes minutes, however long the video is. */
export const quickMs = (bytes: number, baseMs: number): number => baseMs + (1000 * bytes) / USUAL_COPY_BYTES_PER_SECOND

/** How long it may stand still: at its end ffmpeg moves the whole file to make room for the index, and tells nothing meanwhile. */
export const standstillMs = (bytes: number, baseMs: number): number =>
  baseMs + (1000 * bytes) / SLOWEST_MOVE_BYTES_PER_SECOND
