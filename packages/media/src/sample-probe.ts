import type { AudioFacts, Probe, VideoFacts } from './parse/probe.ts'

export const video: VideoFacts = {
  index: 0,
  codec: 'hevc',
  profile: 'Main',
  level: 120,
  width: 1920,
  height: 1080,
  pixFmt: 'yuv420p',
  fieldOrder: 'progressive',
  rotation: 0,
  transfer: null,
  matrix: null,
  sampleAspect: null,
  rFrameRate: '30/1',
  avgFrameRate: '30/1',
  timescale: 15360,
  packets: null,
  startSeconds: 0,
  durationSeconds: 10,
}
const audio: AudioFacts = {
  index: 1,
  ...{ codec: 'aac', profile: 'LC', sampleRate: 48000, channels: 2 },
  ...{ startSeconds: 0, durationSeconds: 10, packets: 468 },
}
/** For tests: ten seconds of 1080p in HEVC, with sound. */
export const probe: Probe = {
  ...{ formatName: 'mov,mp4,m4a,3gp,3g2,mj2', startSeconds: 0, durationSeconds: 10, bitrate: 4_000_000 },
  ...{ video, audio, audioTrack: 0, audioTracks: 1, tracks: [] },
}
