import type { Clock } from '../../../platform/clock.ts'
import type { Events } from '../../../platform/events/events.ts'
import type { Log } from '../../../platform/log.ts'
import type { Relay } from '../relay/relay.ts'
import type { StartAttempt } from '../sender/start-attempt.ts'
import type { StartedBroadcast } from '../sender/started-broadcast.ts'
import type { ClipSequence, SequencePosition } from '../sequence/clip-sequence.ts'
import type { Clip } from '../sequence/clips.ts'
import type { StreamRow, StreamsRepo } from '../store/streams.repo.ts'
import type { PollLoop } from './poll-loop.ts'
import type { SampleWriter } from './sample-writer.ts'
import type { StreamMeter } from './stream-meter.ts'

export interface KeeperDeps {
  row: StreamRow
  repo: Pick<StreamsRepo, 'change'>
  events: Events
  clock: Clock
  /** How far `clock` is from where it was last believed to be. */
  clockErrorMs: () => number
  /** A clock that nobody sets. */
  steady?: () => number
  log: Log
  signal: AbortSignal
  /** At the end of the program its ffmpeg runs on, for the next start to take over. */
  keepOnExit: boolean
  /** How often it is seen whether an online source is back. */
  returningSourceMs: number
  /** How often it is seen whether an online source has grown past the plan. */
  growingSourceMs: number
  /** How long the platform lets a session last; null: no limit is known. */
  sessionLimitMs: number | null
  /** Where its figures are written now and then. */
  samples: SampleWriter
  /** Where others see how it fares now. */
  meter: Pick<StreamMeter, 'phase' | 'read' | 'drop'>
  /** In which it is looked at. */
  pollLoop: PollLoop
  /** How long the video lasts, as exactly as is known by now. */
  durationOf: (clip: Clip) => number
  /** The ffmpeg that an earlier run of the program left on air. */
  adopted: StartedBroadcast | null
  /** How far the one came that it left and that has ended since, by its last words; null: nobody knows. */
  leftOutTimeMs: number | null
  /** That one sent its video, which is played once, to the end. */
  leftHasEnded: boolean
  startProcess: (position: SequencePosition, attempt: StartAttempt) => Promise<StartedBroadcast>
  /** Why it is to be ended at the end of its pass; null: it may go on after all. */
  endCause: () => Promise<string | null>
  /** Only for an online source, which may come and go. */
  relay: Pick<Relay, 'wentDry' | 'brokeOff' | 'isBack' | 'isFed' | 'mustChange'> | null
  /** A lag that many streams have is the machine's or its line's, and a new session mends neither. */
  mayEndForLag: () => boolean
  /** How many bytes a process has sent that the other side has not taken yet. */
  unsentOf: (pid: number) => () => Promise<number>
  /** What was asked for and neither plays nor comes next yet. */
  changeOfClip: ClipSequence['change']
  /** In a playlist: what comes after the item that plays. */
  following: ClipSequence['following']
  /** Items of a playlist that cannot be played and that nobody was told of yet. */
  passedOver: ClipSequence['passedOver']
  /** Its file is needed no longer. */
  releaseClip: (clip: Clip) => void
}
