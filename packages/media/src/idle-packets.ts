import { rateOf } from './frame-rate.ts'
import type { Probe, TrackFacts } from './parse/probe.ts'

/** The timecode of an editor, the position of a camera, some lines of text. */
const MOST_IDLE_PACKETS = 10_000
/** A second sound track has five packets in a thousand bytes of itself, and lies beside a picture of a hundred times as much. */
const BYTES_PER_IDLE_PACKET = 1000

/**
 * Whether a file makes its reader build an index of much more than a broadcast sends: an MP4 lists millions of packets in one line, and
 * ffmpeg writes them out in memory, in each pass anew. Other containers list nothing, or in as many bytes as it takes in memory.
 * `spanSeconds`: how long its picture is, by its packets; null: it has not been read yet.
 */
export function hasIdlePackets(probe: Probe, spanSeconds: number | null): boolean {
  if (!isMp4(probe)) return false
  if (probe.standsForMore) return true
  const bytes = ((probe.bitrate ?? 0) * (probe.durationSeconds ?? 0)) / 8
  const idle = packetsBeside(probe) + (spanSeconds === null ? 0 : hiddenPictures(probe, spanSeconds))
  return idle > Math.max(MOST_IDLE_PACKETS, bytes / BYTES_PER_IDLE_PACKET)
}

export const isMp4 = ({ formatName }: Pick<Probe, 'formatName'>): boolean =>
  (formatName ?? '').split(',').includes('mov')

/** Those in all tracks that a broadcast leaves out. */
function packetsBeside({ tracks, video, audio }: Probe): number {
  const beside = tracks.filter(({ index }) => index !== video?.index && index !== audio?.index)
  return beside.reduce((sum, track) => sum + packetsOf(track), 0)
}

/** A cover lies in the header, and has no index. */
const packetsOf = ({ packets, isCover }: TrackFacts): number => packets ?? (isCover ? 0 : Number.POSITIVE_INFINITY)

/** Those that an edit list cuts away. Readiness itself looks at those of the sound. */
function hiddenPictures({ video }: Probe, spanSeconds: number): number {
  const rate = rateOf(video?.avgFrameRate ?? null)
  return rate === null ? 0 : Math.max(0, (video?.packets ?? 0) - spanSeconds * rate)
}
