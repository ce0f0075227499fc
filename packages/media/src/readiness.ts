import { AAC_FRAME_SAMPLES } from './aac.ts'
import { areEven, isSameRate, rateOf } from './frame-rate.ts'
import { hasIdlePackets } from './idle-packets.ts'
import type { KeyframeFacts } from './parse/keyframes.ts'
import type { AudioFacts, Probe, VideoFacts } from './parse/probe.ts'
import { isTooDense } from './video-bitrates.ts'

export type VideoFault =
  | 'incomplete'
  | 'container'
  | 'codec'
  | 'profile'
  | 'level'
  | 'pixel-format'
  | 'not-progressive'
  | 'rotated'
  | 'pixel-aspect'
  | 'hdr'
  | 'variable-frame-rate'
  | 'picture-gap'
  | 'too-large'
  | 'too-many-frames'
  | 'picture-too-dense'
  | 'keyframes-unknown'
  | 'first-packet-not-key'
  | 'keyframes-too-far-apart'
  | 'picture-changes'

export type AudioFault =
  | 'transport-stream'
  | 'no-audio'
  | 'audio-track'
  | 'audio-codec'
  | 'audio-profile'
  | 'audio-sample-rate'
  | 'audio-channels'
  | 'audio-span'
  | 'audio-packets'
  | 'audio-gap'
  | 'idle-packets'

/**
 * What has to be done before a video can be copied to a platform for ever. 'audio-only' copies the picture. A file that
 * was cut off has 'incomplete' among its faults: its master holds what can be read. It is unusable when that is nothing.
 */
export type Readiness =
  | { kind: 'ready' }
  | { kind: 'audio-only'; why: AudioFault[] }
  | { kind: 'full'; why: (VideoFault | AudioFault)[] }
  | { kind: 'unusable'; why: 'no-video' | 'no-size' | 'no-duration' | 'too-short' | 'incomplete' }

export interface ReadinessLimits {
  /** As in "1080p": the shorter side, so that an upright video is judged like a lying one. */
  maxHeight?: number
  maxFps?: number
  /** How much silence the audio may leave where the video's end meets its beginning. */
  maxAudioGapSeconds?: number
  /** How many seconds the packets were asked for, when not for all of them (see packetProbeArgs). */
  scannedSeconds?: number
}

const PROFILES = new Set(['Baseline', 'Constrained Baseline', 'Main', 'High'])
const HDR_TRANSFERS = new Set(['smpte2084', 'arib-std-b67'])

/** The platforms say 4 s; 120 frames at 29.97 per second are 4.004 s, and are what they mean. */
const MAX_KEYFRAME_GAP_SECONDS = 4.05

/** Times are rounded to the container's clock, in FLV and Matroska to a millisecond. */
const ROUNDING_SECONDS = 0.001

/** A scan ends at a packet and not at the second; anything near this much is no rounding, it is missing. */
const CUT_OFF_SECONDS = 1

/** Where only the file's length is told, it may be that of the sound: a little less picture proves nothing. */
const CUT_OFF_SHARE = 0.05

/** A loop of less is a flicker, and hardly holds any sound. */
const SHORTEST_SECONDS = 0.5

/** No timestamp may step further than this, by which platforms and players notice a stall. */
const MAX_STEP_SECONDS = 0.1

/** With the packet before it, which lasts up to 23 ms, the step stays below MAX_STEP_SECONDS. */
const MAX_AUDIO_GAP_SECONDS = 0.07

/** The most macroblocks that level 4.2 allows in a picture: 1080p fits, 1440p and 4K need level 5. */
const LEVEL_4_MACROBLOCKS = 8704

/** What is not known counts against the file: re-encoding once costs minutes, a bad loop costs the broadcast. */
export function readiness(probe: Probe, keyframes: KeyframeFacts | null, limits: ReadinessLimits = {}): Readiness {
  const { video } = probe
  if (video === null) return { kind: 'unusable', why: 'no-video' }
  if (video.width === null || video.height === null) return { kind: 'unusable', why: 'no-size' }
  // Fragments and browsers' recordings tell no length, but their packets do; 0 means that it is not told.
  const told = video.durationSeconds || probe.durationSeconds || keyframes?.spanSeconds
  if (!told) return { kind: 'unusable', why: 'no-duration' }
  const incomplete = isCutOff(probe, video, keyframes, limits)
  const isTooShort = Math.min(told, keyframes?.spanSeconds ?? told) < SHORTEST_SECONDS
  if (isTooShort) return { kind: 'unusable', why: incomplete ? 'incomplete' : 'too-short' }

  const videoFaults = new Set([
    ...fileFaults(probe, incomplete),
    ...pictureFaults(probe, video, limits),
    ...peakFaults(video, keyframes),
    ...timingFaults(probe, video, keyframes),
  ])
  const audioFaults = [
    ...transportFaults(probe),
    ...soundFaults(probe, video, limits),
    ...trackFaults(probe, keyframes?.spanSeconds ?? null),
  ]
  if (videoFaults.size > 0) return { kind: 'full', why: [...videoFaults, ...audioFaults] }
  if (audioFaults.length > 0) return { kind: 'audio-only', why: audioFaults }
  return { kind: 'ready' }
}

/** Faults of what lies beside the picture: packets that are right can be looped in another way than by making them anew. */
const SPAN_FAULTS: readonly string[] = [
  'audio-span',
  'audio-packets',
  'audio-gap',
  'idle-packets',
] satisfies AudioFault[]

/** Whether picture and sound may be right as they are, and only the seam between two passes is not. */
export const isSeamAtFault = (verdict: Readiness): boolean =>
  verdict.kind === 'audio-only' && verdict.why.every((fault) => SPAN_FAULTS.includes(fault))

/** The same by the header alone, before any packet has been read: it may still turn out otherwise. */
export function mayOnlySeamBeAtFault(probe: Probe, limits: ReadinessLimits): boolean {
  const { video } = probe
  if (video === null || pictureFaults(probe, video, limits).length > 0 || transportFaults(probe).length > 0)
    return false
  const faults = [...soundFaults(probe, video, limits), ...trackFaults(probe, null)]
  return faults.length > 0 && faults.every((fault) => SPAN_FAULTS.includes(fault))
}

/** Whether the picture may be copied, by the header alone. */
export const mayCopyPicture = (probe: Probe, limits: ReadinessLimits): boolean =>
  probe.video !== null && pictureFaults(probe, probe.video, limits).length === 0

const isFormat = (probe: Probe, names: readonly string[]): boolean =>
  (probe.formatName ?? '').split(',').some((name) => names.includes(name))

/** A header written in front tells the length even when most of the file never arrived. */
function isCutOff(probe: Probe, video: VideoFacts, keyframes: KeyframeFacts | null, limits: ReadinessLimits): boolean {
  const whole = video.durationSeconds || probe.durationSeconds
  if (keyframes === null || !whole) return false
  const expected = Math.min(whole, limits.scannedSeconds ?? Number.POSITIVE_INFINITY)
  const tolerance = video.durationSeconds ? CUT_OFF_SECONDS : Math.max(CUT_OFF_SECONDS, expected * CUT_OFF_SHARE)
  return keyframes.spanSeconds < expected - tolerance
}

/** A cut goes through a packet, and leaves pictures without those they lean on: only a decoder can make an end of it. */
function fileFaults(probe: Probe, incomplete: boolean): VideoFault[] {
  // AVI and the like carry no presentation times, so their picture cannot simply be copied.
  const container: VideoFault[] = isFormat(probe, ['mov', 'matroska', 'flv', 'mpegts']) ? [] : ['container']
  return incomplete ? ['incomplete', ...container] : container
}

/** MPEG-TS loses a frame or two at each loop. Its picture is sound: the MP4 that new audio comes in cures it. */
const transportFaults = (probe: Probe): AudioFault[] => (isFormat(probe, ['mpegts']) ? ['transport-stream'] : [])

/** Any master of its own has nothing but the picture and the sound. */
const trackFaults = (probe: Probe, spanSeconds: number | null): AudioFault[] =>
  hasIdlePackets(probe, spanSeconds) ? ['idle-packets'] : []

function pictureFaults(probe: Probe, video: VideoFacts, limits: ReadinessLimits): VideoFault[] {
  const faults: VideoFault[] = []
  const width = video.width ?? 0
  const height = video.height ?? 0
  const fps = rateOf(video.avgFrameRate)
  if (video.codec !== 'h264') faults.push('codec')
  if (video.profile === null || !PROFILES.has(video.profile)) faults.push('profile')
  if (video.level === null || video.level > maxLevel(width, height)) faults.push('level')
  if (video.pixFmt !== 'yuv420p') faults.push('pixel-format')
  if (video.fieldOrder !== 'progressive') faults.push('not-progressive')
  if (video.rotation !== 0) faults.push('rotated')
  if (video.transfer !== null && HDR_TRANSFERS.has(video.transfer)) faults.push('hdr')
  if (video.sampleAspect !== null && video.sampleAspect !== '1:1') faults.push('pixel-aspect')
  if (limits.maxHeight !== undefined && Math.min(width, height) > limits.maxHeight) faults.push('too-large')
  if (limits.maxFps !== undefined && fps !== null && fps > limits.maxFps) faults.push('too-many-frames')
  if (isTooDense(video, wholeBitsPerSecond(probe, video))) faults.push('picture-too-dense')
  return faults
}

/** All that is in the file, over the length of its picture: what a broadcast sends of it lies in there, and no other track stretches it. */
function wholeBitsPerSecond({ bitrate, durationSeconds }: Probe, video: VideoFacts): number {
  const seconds = durationSeconds ?? 0
  return ((bitrate ?? 0) * seconds) / (video.durationSeconds || seconds || 1)
}

/** An ordinary file has scenes of twice its average. */
const PEAK = 2

/** A header's average says nothing about ten seconds that fill everybody's line in the middle of a quiet file. */
const peakFaults = (video: VideoFacts, keyframes: KeyframeFacts | null): VideoFault[] =>
  isTooDense(video, (keyframes?.densestBitsPerSecond ?? 0) / PEAK) ? ['picture-too-dense'] : []

const maxLevel = (width: number, height: number): number =>
  Math.ceil(width / 16) * Math.ceil(height / 16) > LEVEL_4_MACROBLOCKS ? 52 : 42

function timingFaults(probe: Probe, video: VideoFacts, keyframes: KeyframeFacts | null): VideoFault[] {
  const faults: VideoFault[] = isSteady(probe, video, keyframes) ? [] : ['variable-frame-rate']
  if (keyframes === null) return [...faults, 'keyframes-unknown']
  if (!keyframes.firstPacketIsKey) faults.push('first-packet-not-key')
  if (keyframes.largestGapSeconds > MAX_KEYFRAME_GAP_SECONDS) faults.push('keyframes-too-far-apart')
  if (keyframes.largestStepSeconds > MAX_STEP_SECONDS) faults.push('picture-gap')
  return faults
}

/**
 * Matroska and FLV count in milliseconds, as a broadcast does, and few frame rates fit: their average is a little off.
 * What they claim is a header's word, so the packets must agree.
 */
function isSteady(probe: Probe, video: VideoFacts, keyframes: KeyframeFacts | null): boolean {
  const average = rateOf(video.avgFrameRate)
  const real = rateOf(video.rFrameRate)
  if (average === null || real === null) return false
  if (!isFormat(probe, ['matroska', 'flv'])) return average === real
  return isSameRate(average, real) && areEven(keyframes, real)
}

function soundFaults(probe: Probe, video: VideoFacts, limits: ReadinessLimits): AudioFault[] {
  const { audio } = probe
  // Facebook ends a broadcast without sound: a silent track is made for it.
  if (audio === null) return ['no-audio']
  const faults: AudioFault[] = []
  if (probe.audioTrack !== 0) faults.push('audio-track')
  if (audio.codec !== 'aac') faults.push('audio-codec')
  if (audio.profile !== 'LC') faults.push('audio-profile')
  if (audio.sampleRate !== 44100 && audio.sampleRate !== 48000) faults.push('audio-sample-rate')
  if (audio.channels === null || audio.channels > 2) faults.push('audio-channels')
  // What is said about packets and spans holds for AAC alone, and is cured with any of the faults above.
  return faults.length > 0 ? faults : spanFaults(audio, video, limits)
}

/** Sound outside the picture's span collides with the next loop; sound that leaves a gap is a gap in every loop. */
function spanFaults(audio: AudioFacts, video: VideoFacts, limits: ReadinessLimits): AudioFault[] {
  const { startSeconds: audioStart, durationSeconds: audioLength } = audio
  const { startSeconds: videoStart, durationSeconds: videoLength } = video
  if (audioStart === null || audioLength === null || videoStart === null || videoLength === null) return ['audio-span']
  const before = audioStart - videoStart
  const after = videoStart + videoLength - (audioStart + audioLength)
  if (before < -ROUNDING_SECONDS || after < -ROUNDING_SECONDS) return ['audio-span']

  // An edit list hides an encoder's priming, but a copy sends it: more packets than the span has room for.
  const sent = ((audio.packets ?? 0) * AAC_FRAME_SAMPLES) / (audio.sampleRate ?? 1)
  const maxGap = limits.maxAudioGapSeconds ?? MAX_AUDIO_GAP_SECONDS
  if (sent === 0 || sent > audioLength + ROUNDING_SECONDS) return ['audio-packets']
  return before + after > maxGap || audioLength - sent > maxGap ? ['audio-gap'] : []
}
