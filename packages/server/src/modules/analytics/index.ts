import type { Clock } from '../../platform/clock.ts'
import type { ClockTrust } from '../../platform/clock-trust.ts'
import type { Changes } from '../../platform/db/changes.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { createFactReader } from '../../platform/outbox/fact-reader.ts'
import { repeat } from '../../platform/repeat.ts'
import { programSteps } from '../../platform/small-steps.ts'
import type { Timings } from '../../platform/timings.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import { createAccess, type PlanOfUser } from './access.ts'
import { analyticsRoutes } from './analytics.routes.ts'
import { createAnalyticsService } from './analytics.service.ts'
import { createSpanCounter } from './count-spans.ts'
import { createCsv } from './csv.ts'
import { createBroadcastLister } from './list-broadcasts.ts'
import { createLiveFeed } from './live-feed.ts'
import { createLiveFigures } from './live-figures.ts'
import { createLivesReads } from './lives.reads.ts'
import { createLivesRepo, type LivesOf } from './lives.repo.ts'
import { createOverview } from './overview.ts'
import { createReport } from './report.ts'
import { createReportMail } from './report-mail.ts'
import { createRollUpRepo } from './roll-up.repo.ts'
import { createRollUp } from './roll-up.ts'
import type { StreamFigure } from './sample-rules.ts'
import { createSampler } from './sampler.ts'
import { createSamplesRepo } from './samples.repo.ts'
import { createSeries } from './series.ts'
import { createStory, type TimelineOf } from './story.ts'
import { createSumsReads } from './sums.repo.ts'
import { createTakeFacts } from './take-facts.ts'

export interface AnalyticsDeps {
  readonly db: Db
  readonly changes: Pick<Changes, 'of' | 'seesOthers'>
  readonly clock: Clock
  readonly trust: ClockTrust
  readonly log: Log
  readonly timings: Pick<Timings, 'feedLeaveMs' | 'analytics'>
  readonly brand: string
  readonly publicUrl: string | null
  readonly mailer: Mailer | null
  /** What each user's plan shows. */
  readonly planOf: PlanOfUser
  readonly nameOf: (userId: string) => Promise<string>
  /** Where somebody gets mail; null: the address is not theirs for sure. */
  readonly addressOf: (userId: string) => Promise<string | null>
  /** How the streams of this worker fare now. */
  readonly takeFigures: () => readonly StreamFigure[]
  /** False: the disk is full, and what is left is for broadcasts. */
  readonly hasDiskRoom: () => boolean
  readonly livesOf: LivesOf
  readonly timelineOf: TimelineOf
}

const READER = 'analytics'

/** What was on air, for how long and how well. */
export function createAnalytics(deps: AnalyticsDeps) {
  const { db, clock, log, timings, mailer } = deps
  const samples = createSamplesRepo(db)
  const lives = createLivesRepo(db, deps.livesOf)
  const steps = programSteps
  const reads = createLivesReads(db, steps)
  const access = createAccess(deps)
  const parts = { ...deps, access, reads, samples, steps, sums: createSumsReads(db, steps) }
  const overview = createOverview(parts)
  const series = createSeries(parts)
  const report = createReport({ ...parts, overview })
  const reportMail = createReportMail({
    ...parts,
    report,
    post: mailer && ((letter, onLost) => mailer.post(letter, onLost)),
  })
  const made = { series, overview, report, reportMail }
  const service = createAnalyticsService({
    ...parts,
    ...made,
    story: createStory({ ...parts, ...made }),
    csv: createCsv({ ...parts, overview }),
    feed: createLiveFeed({ ...parts, figures: createLiveFigures(parts) }),
  })
  const rollUp = createRollUp({ db, clock, repo: createRollUpRepo(db) })
  const sampler = createSampler({ ...deps, samples, lives, rollUp, timings: timings.analytics })
  const reader = createFactReader({
    ...deps,
    name: READER,
    take: createTakeFacts({ lives, clock }),
    everyMs: timings.analytics.factsMs,
  })
  const counter = createSpanCounter({ db, readerName: READER })
  const lister = createBroadcastLister({ db, readerName: READER })
  let isStopping = false
  let stopMails = async () => {}
  let stopCounting = async () => {}
  return {
    routes: (hooks: CallerHooks) => analyticsRoutes({ service, hooks }),
    /** In the worker role, after the broadcasts. */
    async start(): Promise<void> {
      await reader.start()
      // The reader has its place by now: nothing that happens from here on is missed.
      // On a full disk that waits for the first facts that are taken.
      if (deps.hasDiskRoom())
        await db
          .transaction()
          .execute((inside) => lives.seed(inside, clock.now()))
          .catch((error) => log.warn({ err: error }, 'what is on air could not be taken over by analytics'))
      sampler.start()
      const complaint = 'monthly reports could not be sent'
      const { reportsMs } = timings.analytics
      const work = () => reportMail.sendDue(() => isStopping)
      stopCounting = repeat({
        ...{ firstAfterMs: timings.analytics.countAfterMs, everyMs: timings.analytics.clearMs, log },
        complaint: 'what an older version has written could not be summed',
        work: async () => {
          const isOver = () => isStopping || !deps.hasDiskRoom()
          await lister.listAll(isOver)
          await counter.countAll(isOver)
        },
      })
      stopMails = repeat({ firstAfterMs: reportsMs, everyMs: reportsMs, log, complaint, work })
    },
    async stop(): Promise<void> {
      isStopping = true
      await Promise.all([stopMails(), stopCounting(), sampler.stop(), reader.stop()])
    },
  }
}
