/** Kinds of background work. */
const JOB_KINDS = ['stream', 'prepare-video', 'encode-video', 'import-video'] as const
export type JobKind = (typeof JOB_KINDS)[number]

export interface JobCounts {
  /** Not begun, or to be tried again. */
  readonly waiting: number
  readonly active: number
}

/**
 * 'done': never again. 'again': this worker cannot go on with it (it is closing, or lost its lock), another one should.
 */
export type JobOutcome = 'done' | 'again'

export interface JobContext {
  /** Aborted when the worker closes or may have lost the job to another one: let go of everything, then answer 'again'. */
  readonly signal: AbortSignal
}

export type JobHandler = (id: string, context: JobContext) => Promise<JobOutcome>

/**
 * At most one handler runs for an id at a time. A handler that throws is called again later.
 * The queue carries ids only: what is to be done stands in the row, so a lost queue is refilled from the database.
 */
export interface Queue {
  /**
   * One job per id, however often it is added; one that is added while it runs is run once more, behind those that wait.
   * Never fails: what a queue that is away cannot be told, it learns when it is refilled (refill.ts).
   */
  add(kind: JobKind, id: string): Promise<void>
  /** Those of the ids that have no job. */
  missing(kind: JobKind, ids: readonly string[]): Promise<string[]>
  work(kind: JobKind, concurrency: number, handler: JobHandler): void
  ping(): Promise<void>
  counts(): Promise<Record<JobKind, JobCounts>>
  /** Takes no more work, aborts what runs and waits for it. */
  close(): Promise<void>
}

/** One figure per kind of work. */
export const countEach = async (count: (kind: JobKind) => Promise<JobCounts>): Promise<Record<JobKind, JobCounts>> =>
  Object.fromEntries(await Promise.all(JOB_KINDS.map(async (kind) => [kind, await count(kind)] as const))) as Record<
    JobKind,
    JobCounts
  >

export const RETRY_DELAY_MS = 2_000
