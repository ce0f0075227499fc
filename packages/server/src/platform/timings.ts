/** How long the program lets pass before it looks after what happens by itself. One object, so that a test can make each moment come soon. */
export interface Timings {
  /** An import that brings less than this is given up: at less a gigabyte takes five hours and a half, while others wait for the place. */
  readonly imports: { readonly bytesPerSecond: number; readonly windowMs: number }
  /** What a look into a file may take; what reading and preparing one may take beside what its size and length need, and without a step. */
  readonly mediaTools: {
    readonly inspectMs: number
    readonly scanMs: number
    /** What making a logo of what somebody sent may take: they wait for it. */
    readonly logoMs: number
    readonly prepareMs: number
    readonly standstillMs: number
    /** A picture of more than this takes long to make anew, and goes into a lane of its own: about a minute of 720p. */
    readonly quickPixels: number
    /** How long the lane of what takes minutes makes one video, beside copying it; and those of a user whose last one took longer. */
    readonly quickMs: number
    readonly quickAgainMs: number
  }
  /** Uploads that are complete and that no request finishes any more; the first wait where a look into one took too long. */
  readonly finishedUploads: { readonly everyMs: number; readonly againMs: number }
  /** Files that a store elsewhere could not remove; the wait after a first try that failed. */
  readonly storageRemovals: { readonly everyMs: number; readonly firstRetryMs: number }
  /** Videos of plans that ended long ago: not while a start of the program has enough to do. */
  readonly clearance: { readonly firstAfterMs: number; readonly everyMs: number }
  /** Copies on this machine of what another one has deleted. */
  readonly copies: { readonly firstAfterMs: number; readonly everyMs: number }
  /** Plans that end soon, or have ended: their owners are told. */
  readonly planEnds: { readonly firstAfterMs: number; readonly everyMs: number }
  /** Rows that nobody will ask for again. */
  readonly oldRows: { readonly firstAfterMs: number; readonly everyMs: number }
  /** Broadcasts of users whose plan has ended. */
  readonly endedPlansMs: number
  /** Accounts that are to be deleted; how long their owner waits for the end of it before being told that it takes longer. */
  readonly accountRemoval: { readonly everyMs: number; readonly answerMs: number }
  /** Broadcasts that are over here and not yet at their platform; the wait after a first try that failed. */
  readonly platformEndings: { readonly everyMs: number; readonly firstRetryMs: number }
  /** Schedules: how often they are looked at beside the moments that are known, where other programs may change them, and how far ahead. */
  readonly schedules: {
    readonly everyMs: number
    readonly aloneEveryMs: number
    readonly planEveryMs: number
    readonly firstRetryMs: number
    /** What was started is looked at until it is on air; and the wait before one that never was is started again. */
    readonly watchMs: number
    readonly restartMs: number
    /** A clock that was set forward counts once it has stood for so long; after a jump of more than ten minutes, ten times as long. */
    readonly settleMs: number
  }
  /**
   * Facts that analytics follows; its rollups, and what of them is too old; reports by e-mail; and how long after the start it counts what
   * an older version has left: everything else is more urgent.
   */
  readonly analytics: {
    readonly factsMs: number
    readonly rollUpMs: number
    readonly clearMs: number
    readonly reportsMs: number
    readonly countAfterMs: number
  }
  /**
   * Webhooks: how soon facts are read and due deliveries looked for, where other programs may write them; how long a claim counts, which
   * is longer than a try may take; and the waits between tries, after the last of which one is given up.
   */
  readonly webhooks: {
    readonly everyMs: number
    readonly claimMs: number
    readonly tryMs: number
    readonly retriesMs: readonly number[]
    readonly tidyMs: number
  }
  /**
   * Recordings: how soon facts are read; how often those that are being made are looked at, beside what facts tell; how often is looked for
   * those that go. `maxMs`: how long one lasts before the next begins.
   */
  readonly recordings: {
    readonly factsMs: number
    readonly followMs: number
    readonly keepMs: number
    readonly maxMs: number
  }
  /** Online sources that are recorded: how long a piece lasts, how often finished ones are taken, and after how long without a byte a recorder has failed. */
  readonly recordingFiles: { readonly pieceSeconds: number; readonly takeMs: number; readonly stillMs: number }
  /** Wishes that were said on another machine, or by the operator's command. */
  readonly desiredStateMs: number
  /** Whether an online source is back while a video stands in for it. */
  readonly returningSourceMs: number
  /** Whether an online source that is copied still is what the plan allows; each look fetches some seconds of it. */
  readonly growingSourceMs: number
  /** How long a caller is known without being asked for, where another program may change what they may. */
  readonly callerMemoryMs: number
  /** Whether a listener who follows a feed of streams still may. */
  readonly feedLeaveMs: number
  /** Whether a viewer who is being sent a part of a preview still may. */
  readonly previewLeaveMs: number
  /** How long a preview may take to say what it is: its head and first bytes, or all of a playlist. */
  readonly previewHeadMs: number
  /** How long the playlist of a preview waits for a reader who takes nothing of it. */
  readonly previewStallMs: number
  /** Rows without a job: longer than a holder needs to notice that its job is gone, and to let go of it. */
  readonly refillMs: number
  /** How long a dead worker's job stays its own before another worker takes it. */
  readonly queueLockMs: number
  /** How long a request's body may take, and in which time an upload has to move. */
  readonly requests: { readonly bodyMs: number; readonly uploadWindowMs: number }
  /** The waits before a mail is tried again; after the last it is given up. */
  readonly mailRetriesMs: readonly number[]
  /** Linking of Telegram chats: how long a code counts, how long a poll waits for news, and how soon is looked again after what. */
  readonly telegram: {
    readonly codeMs: number
    readonly pollSeconds: number
    /** Whether somebody waits for a bot of their own. */
    readonly lookMs: number
    /** Another program polls the same bot. */
    readonly conflictMs: number
    readonly firstRetryMs: number
    /** How long a bot stays with a program that says nothing any more: longer than a poll. */
    readonly leaseMs: number
  }
  /** Alerts: how often facts, times and messages are looked for (in memory, while nothing was written), and the first wait after a failure. */
  readonly alerts: { readonly everyMs: number; readonly firstRetryMs: number; readonly sendMs: number }
  /** What each password takes of memory (KiB) and passes: nothing said means what passwords.ts recommends. */
  readonly passwordCost: { readonly memoryCost?: number; readonly timeCost?: number }
}

export const USUAL_TIMINGS: Timings = {
  imports: { bytesPerSecond: 50_000, windowMs: 60_000 },
  mediaTools: {
    inspectMs: 30_000,
    scanMs: 30_000,
    logoMs: 5_000,
    prepareMs: 600_000,
    standstillMs: 300_000,
    quickPixels: 2_000_000_000,
    quickMs: 900_000,
    quickAgainMs: 60_000,
  },
  finishedUploads: { everyMs: 60_000, againMs: 600_000 },
  storageRemovals: { everyMs: 30_000, firstRetryMs: 30_000 },
  clearance: { firstAfterMs: 5 * 60_000, everyMs: 86_400_000 },
  copies: { firstAfterMs: 600_000, everyMs: 3_600_000 },
  planEnds: { firstAfterMs: 30_000, everyMs: 5 * 60_000 },
  oldRows: { firstAfterMs: 15 * 60_000, everyMs: 86_400_000 },
  endedPlansMs: 5_000,
  accountRemoval: { everyMs: 5_000, answerMs: 10_000 },
  platformEndings: { everyMs: 3_000, firstRetryMs: 5_000 },
  schedules: {
    ...{ everyMs: 1_000, aloneEveryMs: 5_000, planEveryMs: 60_000 },
    ...{ firstRetryMs: 2_000, watchMs: 10_000, restartMs: 15_000, settleMs: 60_000 },
  },
  analytics: { factsMs: 1_000, rollUpMs: 20_000, clearMs: 600_000, reportsMs: 900_000, countAfterMs: 2_000 },
  webhooks: {
    ...{ everyMs: 1_000, claimMs: 30_000, tryMs: 15_000, tidyMs: 60_000 },
    // 5 s, 30 s, 2, 10 and 30 min, 1, 2, 4, 6 and 10 h: a day in all.
    retriesMs: [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 36_000].map((seconds) => seconds * 1000),
  },
  recordings: { factsMs: 1_000, followMs: 15_000, keepMs: 5 * 60_000, maxMs: 12 * 3_600_000 },
  recordingFiles: { pieceSeconds: 10, takeMs: 5_000, stillMs: 60_000 },
  desiredStateMs: 1_000,
  returningSourceMs: 5_000,
  growingSourceMs: 60_000,
  callerMemoryMs: 1_000,
  feedLeaveMs: 5_000,
  previewLeaveMs: 3_000,
  previewHeadMs: 10_000,
  previewStallMs: 30_000,
  refillMs: 15_000,
  queueLockMs: 30_000,
  requests: { bodyMs: 30_000, uploadWindowMs: 60_000 },
  mailRetriesMs: [5_000, 30_000, 120_000, 600_000],
  telegram: {
    ...{ codeMs: 15 * 60_000, pollSeconds: 25, lookMs: 2_000 },
    ...{ conflictMs: 30_000, firstRetryMs: 1_000, leaseMs: 60_000 },
  },
  alerts: { everyMs: 1_000, firstRetryMs: 15_000, sendMs: 15_000 },
  passwordCost: {},
}
