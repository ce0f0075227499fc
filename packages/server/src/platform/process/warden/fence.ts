import { GRACE_MS } from './deadline.ts'

/** An ffmpeg of the warden. */
export interface FencedProcess {
  readonly pid: number
  readonly birth: string
  readonly streamId: string
  readonly epoch: number
  /** When it was asked to end, by the monotonic clock; null: it was not. */
  readonly termedAtMs: number | null
  /** The generation of the deadline under which it was started. */
  readonly generation: number
}

/** How the deadline stands. */
export interface FenceState {
  /** How long it has been over; negative while it is not. */
  readonly overdueMs: number
  readonly generation: number
}

/** A worker keeps some thousand streams at most; those of long ago are fenced by their rows. */
const MOST_EPOCHS = 10_000

/** What is due for a process. A warden that was stopped itself comes late: it asks nobody any more, also where the program was quicker. */
export function dueSignal(
  { termedAtMs, generation }: Pick<FencedProcess, 'termedAtMs' | 'generation'>,
  { overdueMs, generation: present }: FenceState,
  nowMs: number,
): 'SIGTERM' | 'SIGKILL' | null {
  if (overdueMs >= GRACE_MS || generation !== present) return 'SIGKILL'
  if (termedAtMs !== null) return nowMs - termedAtMs >= GRACE_MS ? 'SIGKILL' : null
  return overdueMs >= 0 ? 'SIGTERM' : null
}

export type Refusal = 'lapsed' | 'old-epoch'

/** The newest epoch that was seen of each stream. */
export function createEpochs(most = MOST_EPOCHS) {
  const newest = new Map<string, number>()
  return {
    /** Null: it may run. */
    judge(
      { streamId, epoch }: Pick<FencedProcess, 'streamId' | 'epoch'>,
      { overdueMs }: Pick<FenceState, 'overdueMs'>,
    ): Refusal | null {
      if (overdueMs >= 0) return 'lapsed'
      return epoch < (newest.get(streamId) ?? 0) ? 'old-epoch' : null
    },
    note({ streamId, epoch }: Pick<FencedProcess, 'streamId' | 'epoch'>): void {
      const known = newest.get(streamId) ?? 0
      newest.delete(streamId)
      newest.set(streamId, Math.max(known, epoch))
      const [oldest] = newest.keys()
      if (newest.size > most && oldest !== undefined) newest.delete(oldest)
    },
  }
}
