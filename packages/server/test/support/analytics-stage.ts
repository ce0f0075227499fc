import type { PlanId } from '@siarin/contracts/plans'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll } from 'vitest'
import type { StreamFact } from '../../src/platform/outbox/facts.ts'
import { addStream, cameBack, DAY, HOUR, MINUTE, tellStream, wasLost, wasStopped, wentLive } from './analytics.ts'
import { CALM, type DATABASES } from './databases.ts'
import { bearer, call, signIn, startProgram } from './program.ts'

/** The columns of a row that nobody keeps. */
export const ENDED = { phase: 'ended', state: JSON.stringify({ at: 'ended', reason: 'stopped', cause: null }) }

export const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** An hour on air, six minutes off it, an hour, a new session, and on air to the end. */
const runFrom = (from: number, hours = 10): StreamFact[] => [
  ...[wentLive(from), wasLost(from + HOUR, 'stalled'), cameBack(from + HOUR + 6 * MINUTE)],
  ...[wasLost(from + 2 * HOUR, 'session-renewed', true), cameBack(from + 2 * HOUR + 30_000)],
  wasStopped(from + hours * HOUR),
]

type AnalyticsStage = Awaited<ReturnType<typeof openAnalyticsStage>>

/** One for all tests of a file on such a database. */
export function analyticsStage(open: (typeof DATABASES)[number]['open']) {
  let stage: AnalyticsStage
  beforeAll(async () => {
    stage = await openAnalyticsStage(open)
  })
  afterAll(() => stage.close())
  return {
    get program() {
      return stage.program
    },
    get noon() {
      return stage.noon
    },
    somebody: (plan?: PlanId) => stage.somebody(plan),
    told: (...facts: Parameters<AnalyticsStage['told']>) => stage.told(...facts),
    run: () => runFrom(stage.noon),
  }
}

/** A program whose plans count, and people whose broadcasts have a past. */
async function openAnalyticsStage(open: (typeof DATABASES)[number]['open']) {
  const databases = await open()
  const env = { ENFORCE_PLANS: 'true', TRIAL_DAYS: '365', ...(await databases.settings()) }
  const never = { clearMs: 600_000, reportsMs: 600_000, countAfterMs: 600_000 }
  const analytics = { factsMs: 50, rollUpMs: 200, ...never }
  const program = await startProgram(env, { ...CALM, analytics })
  /** Noon in UTC, some days ago. */
  const noon = Math.floor((program.clock.now() - 3 * DAY) / DAY) * DAY + 12 * HOUR

  async function somebody(plan: PlanId = 'business') {
    const { user, token } = await signIn(program.url)
    await program.setPlan(user.email, plan)
    const row = await program.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', user.email)
      .executeTakeFirstOrThrow()
    const get = (path: string, headers: Record<string, string> = bearer(token)) =>
      call(program.url, 'GET', `/fitur/analytics/${path}`, { headers })
    const text = async (path: string) =>
      (await fetch(`${program.url}/fitur/analytics/${path}`, { headers: bearer(token) })).text()
    return { id: row.id, email: user.email, apiKey: user.apiKey, token, get, text }
  }

  /** A broadcast that nobody keeps, with what happened to it. */
  async function told(userId: string, facts: readonly StreamFact[], change = {}): Promise<string> {
    const id = await addStream(program.db, userId, { ...ENDED, created_at: facts[0]?.at ?? noon, ...change })
    await tellStream(program.db, userId, id, facts)
    const ends = facts.at(-1)
    const isTaken = async () => {
      const row = await program.db.selectFrom('stat_streams').selectAll().where('stream_id', '=', id).executeTakeFirst()
      const spans = row
        ? await program.db.selectFrom('stat_spans').select('id').where('stream_no', '=', row.id).execute()
        : []
      const isOver = ends?.fact === 'stream.ended' || ends?.fact === 'stream.failed'
      return spans.length > 0 && (!isOver || row?.ended_at !== null)
    }
    await waitFor('its facts to be taken', isTaken, { everyMs: 20 })
    return id
  }

  return {
    program,
    noon,
    somebody,
    told,
    async close(): Promise<void> {
      await program.close()
      await databases.stop()
    },
  }
}
