import type { Events } from '../../../platform/events/events.ts'
import { isOnline, type Relay } from '../relay/relay.ts'
import type { BroadcastProcess } from '../sender/broadcast-process.ts'
import type { LastWords } from '../sender/progress-file.ts'
import type { Clip } from '../sequence/clips.ts'
import type { Poll } from './keeper-state.ts'
import { createSentBytes } from './sent-bytes.ts'
import type { StreamReading } from './stream-meter.ts'
import { createWatchdog } from './watchdog.ts'

export interface ProcessWatchDeps {
  events: Pick<Events, 'emit'>
  /** How many bytes a process has sent that the other side has not taken yet. */
  unsentOf: (pid: number) => () => Promise<number>
  /** How long the video lasts, as exactly as is known by now. */
  durationOf: (clip: Clip) => number
  /** Null: no online source is sent. */
  relay: Pick<Relay, 'isFed'> | null
}

interface ProcessReadings {
  onReading: (reading: StreamReading) => void
}

/** Reads what a process tells of itself, and judges whether it moves. */
export function createProcessWatch(deps: ProcessWatchDeps & ProcessReadings) {
  const { events, unsentOf, durationOf, onReading } = deps
  const watchdog = createWatchdog()
  const sentBytes = createSentBytes(events)
  let watchedPid: number | null = null
  let unsentBytes = async () => 0

  return {
    begin({ pid }: BroadcastProcess, isAdopted: boolean): void {
      watchedPid = pid
      sentBytes.begin(isAdopted)
      watchdog.begin()
      unsentBytes = unsentOf(pid)
    },
    async read(process: BroadcastProcess, clip: Clip | null): Promise<Poll> {
      const { progress, agoMs } = believed(process.lastWords(), clip, deps.relay)
      const unsent = progress ? await unsentBytes() : 0
      const verdict = watchdog.judge(progress, unsent)
      // Another one may have begun meanwhile.
      const isWatched = process.pid === watchedPid
      if (isWatched && progress && verdict !== 'quiet') sentBytes.count(progress.totalBytes)
      if (isWatched && progress)
        onReading({ ...progress, pid: process.pid, frames: progress.frame, unsentBytes: unsent })
      return {
        verdict,
        bitrateKbps: progress?.bitrateKbps ?? null,
        speed: progress?.speed ?? null,
        frames: progress?.frame ?? null,
        outTimeMs: progress?.outTimeMs ?? 0,
        unsentBytes: unsent,
        clipMs: clip ? durationOf(clip) : 0,
        saidAgoMs: agoMs,
        reads: process.reading(),
      }
    },
  }
}

/** Where a source has nothing for an ffmpeg that says nothing, that one stands still, whatever it works at. */
function believed(words: LastWords | null, clip: Clip | null, relay: ProcessWatchDeps['relay']) {
  if (!words) return { progress: null, agoMs: 0 }
  const { progress, agoMs, guessedMs = 0 } = words
  if (guessedMs === 0 || !relay || !isOnline(clip) || relay.isFed()) return { progress, agoMs }
  return { progress: { ...progress, outTimeMs: (progress.outTimeMs ?? 0) - guessedMs }, agoMs: guessedMs }
}
