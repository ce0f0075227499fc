import type { KeyframeFacts } from './parse/keyframes.ts'
import type { AudioFacts, Probe, VideoFacts } from './parse/probe.ts'

export type VideoFault =
  | 'container'
  | 'codec'
  | 'profile'
  | 'level'
  | 'pixel-format'
  | 'not-progressive'
  | 'rotated'
  | 'hdr'
  | 'variable-frame-rate'
  | 'too-large'
  | 'too-many-frames'
  | 'keyframes-unknown'
  | 'first-packet-not-key'
  | 'keyframes-too-far-apart'

export type AudioFault =
  | 'transport-stream'
  | 'no-audio'
  | 'audio-codec'
  | 'audio-profile'
  | 'audio-sample-rate'
  | 'audio-channels'
  | 'audio-span'
  | 'audio-gap'

/** What has to be done before a video can be copied to a platform for ever. 'audio-only' copies the picture. */
export type Readiness =
  | { kind: 'ready' }
  | { kind: 'audio-only'; why: AudioFault[] }
  | { kind: 'full'; why: (VideoFault | AudioFault)[] }
  | { kind: 'unusable'; why: 'no-video' | 'no-size' | 'no-duration' | 'incomplete' }

export interface ReadinessLimits {
  /** As in "1080p": the shorter side, so that an upright video is judged like a lying one. */
  maxHeight?: number
  maxFps?: number
  /** How much silence the audio may leave at the end of the video; unlimited unless given. */
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

/** The most macroblocks that level 4.2 allows in a picture: 1080p fits, 1440p and 4K need level 5. */
const LEVEL_4_MACROBLOCKS = 8704

/** The thin rule: what the FLV of a broadcast can carry without re-encoding, whatever a loop of it may look like. */
export const isCopyable = (probe: Probe): boolean =>
  probe.video?.codec === 'h264' && (probe.audioTracks === 0 || probe.audio?.codec === 'aac')

/** What is not known counts against the file: re-encoding once costs minutes, a bad loop costs the broadcast. */
export function readiness(probe: Probe, keyframes: KeyframeFacts | null, limits: ReadinessLimits = {}): Readiness {
  const { video } = probe
  if (video === null) return { kind: 'unusable', why: 'no-video' }
  if (video.width === null || video.height === null) return { kind: 'unusable', why: 'no-size' }
  if (!(video.durationSeconds ?? probe.durationSeconds)) return { kind: 'unusable', why: 'no-duration' }
  if (isCutOff(probe, video, keyframes, limits)) return { kind: 'unusable', why: 'incomplete' }

  const videoFaults = [...containerFaults(probe), ...pictureFaults(video, limits), ...keyframeFaults(keyframes)]
  const audioFaults = [...transportFaults(probe), ...soundFaults(probe.audio, video, limits)]
  if (videoFaults.length > 0) return { kind: 'full', why: [...videoFaults, ...audioFaults] }
  if (audioFaults.length > 0) return { kind: 'audio-only', why: audioFaults }
  return { kind: 'ready' }
}

const isFormat = (probe: Probe, names: readonly string[]): boolean =>
  (probe.formatName ?? '').split(',').some((name) => names.includes(name))

/** MP4 with its index in front tells its length even when most of it never arrived; other containers cannot. */
function isCutOff(probe: Probe, video: VideoFacts, keyframes: KeyframeFacts | null, limits: ReadinessLimits): boolean {
  if (keyframes === null || video.durationSeconds === null || !isFormat(probe, ['mov'])) return false
  const expected = Math.min(video.durationSeconds, limits.scannedSeconds ?? Number.POSITIVE_INFINITY)
  return keyframes.spanSeconds < expected - CUT_OFF_SECONDS
}

/** AVI and the like carry no presentation times, so their picture cannot simply be copied. */
const containerFaults = (probe: Probe): VideoFault[] =>
  isFormat(probe, ['mov', 'matroska', 'flv', 'mpegts']) ? [] : ['container']

/** MPEG-TS loses a frame or two at each loop. Its picture is sound: the MP4 that new audio comes in cures it. */
const transportFaults = (probe: Probe): AudioFault[] => (isFormat(probe, ['mpegts']) ? ['transport-stream'] : [])

function pictureFaults(video: VideoFacts, limits: ReadinessLimits): VideoFault[] {
  const faults: VideoFault[] = []
  const width = video.width ?? 0
  const height = video.height ?? 0
  const fps = ratio(video.avgFrameRate)
  if (video.codec !== 'h264') faults.push('codec')
  if (video.profile === null || !PROFILES.has(video.profile)) faults.push('profile')
  if (video.level === null || video.level > maxLevel(width, height)) faults.push('level')
  if (video.pixFmt !== 'yuv420p') faults.push('pixel-format')
  if (video.fieldOrder !== 'progressive') faults.push('not-progressive')
  if (video.rotation !== 0) faults.push('rotated')
  if (video.transfer !== null && HDR_TRANSFERS.has(video.transfer)) faults.push('hdr')
  if (fps === null || fps !== ratio(video.rFrameRate)) faults.push('variable-frame-rate')
  if (limits.maxHeight !== undefined && Math.min(width, height) > limits.maxHeight) faults.push('too-large')
  if (limits.maxFps !== undefined && fps !== null && fps > limits.maxFps) faults.push('too-many-frames')
  return faults
}

const maxLevel = (width: number, height: number): number =>
  Math.ceil(width / 16) * Math.ceil(height / 16) > LEVEL_4_MACROBLOCKS ? 52 : 42

function keyframeFaults(keyframes: KeyframeFacts | null): VideoFault[] {
  if (keyframes === null) return ['keyframes-unknown']
  const faults: VideoFault[] = []
  if (!keyframes.firstPacketIsKey) faults.push('first-packet-not-key')
  if (keyframes.largestGapSeconds > MAX_KEYFRAME_GAP_SECONDS) faults.push('keyframes-too-far-apart')
  return faults
}

function soundFaults(audio: AudioFacts | null, video: VideoFacts, limits: ReadinessLimits): AudioFault[] {
  // Facebook ends a broadcast without sound: a silent track is made for it.
  if (audio === null) return ['no-audio']
  const faults: AudioFault[] = []
  if (audio.codec !== 'aac') faults.push('audio-codec')
  if (audio.profile !== 'LC') faults.push('audio-profile')
  if (audio.sampleRate !== 44100 && audio.sampleRate !== 48000) faults.push('audio-sample-rate')
  if (audio.channels === null || audio.channels > 2) faults.push('audio-channels')
  return [...faults, ...spanFaults(audio, video, limits)]
}

/** Audio that begins before or ends after the picture is squeezed at every loop. Unknown ends prove nothing. */
function spanFaults(audio: AudioFacts, video: VideoFacts, limits: ReadinessLimits): AudioFault[] {
  const { startSeconds: audioStart, durationSeconds: audioLength } = audio
  const { startSeconds: videoStart, durationSeconds: videoLength } = video
  if (audioStart === null || audioLength === null || videoStart === null || videoLength === null) return ['audio-span']
  const overrun = audioStart + audioLength - (videoStart + videoLength)
  if (audioStart < videoStart - ROUNDING_SECONDS || overrun > ROUNDING_SECONDS) return ['audio-span']
  return -overrun > (limits.maxAudioGapSeconds ?? Number.POSITIVE_INFINITY) ? ['audio-gap'] : []
}

/** `60000/2002` and `30000/1001` are one rate: division of whole numbers this small rounds both to the same value. */
function ratio(rate: string | null): number | null {
  const [over, under] = (rate ?? '').split('/').map(Number)
  return over !== undefined && under !== undefined && over > 0 && under > 0 ? over / under : null
}
