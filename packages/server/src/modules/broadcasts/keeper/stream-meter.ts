import type { StreamPhase } from '@siarin/contracts/streams'

/** What one look at an ffmpeg told: everything since its start. */
export interface StreamReading {
  readonly pid: number
  readonly totalBytes: number | null
  readonly frames: number
  readonly outTimeMs: number | null
  readonly unsentBytes: number
}

/** How a stream fares now. Rates are those of the last seconds, not the averages since its start that ffmpeg tells. */
export interface MeteredStream {
  readonly streamId: string
  readonly phase: StreamPhase
  readonly bitrateKbps: number | null
  readonly fps: number | null
  /** 1 is real time. */
  readonly speed: number | null
  readonly unsentBytes: number
}

interface Mark extends StreamReading {
  readonly atMs: number
}

interface Metered {
  phase: StreamPhase
  latest: Mark | null
  /** As it was at the last takes, oldest first. */
  marks: Mark[]
}

export type StreamMeter = ReturnType<typeof createStreamMeter>

/** We see what ffmpeg said up to a second late: over less time than this its speed would be noise. */
const SPEED_OVER_MS = 8_000
const MOST_MARKS = 6
/** Less than this is a line that cannot keep up, and not the moment at which we looked. */
const SLOW = 0.95

/** Remembers what the streams of this worker said last. Nothing waits for it, and it waits for nothing. */
export function createStreamMeter(steady: () => number = () => performance.now()) {
  const streams = new Map<string, Metered>()

  function entryOf(streamId: string): Metered {
    const known = streams.get(streamId)
    if (known) return known
    const fresh: Metered = { phase: 'queued', latest: null, marks: [] }
    streams.set(streamId, fresh)
    return fresh
  }

  return {
    phase(streamId: string, phase: StreamPhase): void {
      entryOf(streamId).phase = phase
    },
    read(streamId: string, reading: StreamReading): void {
      const metered = streams.get(streamId)
      // Its keeper has gone while somebody still looked at its ffmpeg.
      if (!metered) return
      const mark = { ...reading, atMs: steady() }
      // Another ffmpeg counts from zero.
      if (metered.marks[0]?.pid !== reading.pid) metered.marks = [mark]
      metered.latest = mark
    },
    drop(streamId: string): void {
      streams.delete(streamId)
    },
    /** For one taker: rates are those since the last time. */
    take(): MeteredStream[] {
      return [...streams].map(([streamId, metered]) => {
        const { phase, latest, marks } = metered
        if (phase !== 'live' || !latest) {
          return { streamId, phase, bitrateKbps: null, fps: null, speed: null, unsentBytes: 0 }
        }
        metered.marks = [...marks, latest].slice(-MOST_MARKS)
        return { streamId, phase, ...ratesOf(marks, latest), unsentBytes: latest.unsentBytes }
      })
    },
  }
}

/** By the time in the picture, which stands in the same lines as the figures; slowed down where the whole is slow. */
function ratesOf(marks: readonly Mark[], latest: Mark) {
  const none = { bitrateKbps: null, fps: null, speed: null }
  const [last, oldest] = [marks.at(-1), marks[0]]
  if (!last || !oldest || last.atMs === latest.atMs || latest.outTimeMs === null) return none
  const overMs = latest.atMs - oldest.atMs
  const speed = overMs < SPEED_OVER_MS ? null : Math.max(0, latest.outTimeMs - (oldest.outTimeMs ?? 0)) / overMs
  const playedMs = latest.outTimeMs - (last.outTimeMs ?? 0)
  if (playedMs <= 0) return { bitrateKbps: 0, fps: 0, speed }
  const pace = speed !== null && speed < SLOW ? speed : 1
  const sent = latest.totalBytes === null || last.totalBytes === null ? null : latest.totalBytes - last.totalBytes
  return {
    bitrateKbps: sent === null ? null : (Math.max(0, sent) * 8 * pace) / playedMs,
    fps: (Math.max(0, latest.frames - last.frames) * 1000 * pace) / playedMs,
    speed,
  }
}
