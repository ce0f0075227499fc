/** An ffmpeg of the warden. */
export interface FencedProcess {
  readonly pid: number
  readonly birth: string
  readonly streamId: string
  readonly epoch: number
  /** When it was asked to end, by the monotonic clock; null: it was not. */
  readonly termedAtMs: number | null
}

/** How long one may take to end by itself. */
export const GRACE_MS = 1_000
/** A worker keeps some thousand streams at most; those of long ago are fenced by their rows. */
const MOST_EPOCHS = 10_000

/** What is due for a process. A warden that was stopped itself comes late, and asks nobody any more. */
export function dueSignal(
  { termedAtMs }: Pick<FencedProcess, 'termedAtMs'>,
  overdueMs: number,
  nowMs: number,
): 'SIGTERM' | 'SIGKILL' | null {
  if (overdueMs >= GRACE_MS) return 'SIGKILL'
  if (termedAtMs !== null) return nowMs - termedAtMs >= GRACE_MS ? 'SIGKILL' : null
  return overdueMs >= 0 ? 'SIGTERM' : null
}

export type Refusal = 'lapsed' | 'old-epoch'

export type Epochs = ReturnType<typeof createEpochs>

/** The newest epoch that was seen of each stream. */
export function createEpochs(most = MOST_EPOCHS) {
  const newest = new Map<string, number>()
  return {
    /** Null: it may run. */
    judge({ streamId, epoch }: Pick<FencedProcess, 'streamId' | 'epoch'>, overdueMs: number): Refusal | null {
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
