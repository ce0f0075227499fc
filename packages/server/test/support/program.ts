import { randomBytes } from 'node:crypto'
import { existsSync, openAsBlob } from 'node:fs'
import { join } from 'node:path'
import type { LoginAnswer, SessionUser } from '@siarin/contracts/auth'
import type { PlanId } from '@siarin/contracts/plans'
import type { Video } from '@siarin/contracts/videos'
import { ignorePriorities } from '@siarin/testkit/priorities'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import type { ActivityRow } from '../../src/modules/activity/activity.repo.ts'
import { type Db, openDatabase } from '../../src/platform/db/database.ts'
import type { Timings } from '../../src/platform/timings.ts'
import { createProgram } from '../../src/program.ts'
import { addReadyVideo, addReadyVideoBeside } from './prepared-videos.ts'
import { putMigratedSqlite } from './shared-servers.ts'

ignorePriorities()

/** A clock that stands where the real one stands, until a test moves it. */
function movableClock() {
  let offset = 0
  return {
    now: () => Date.now() + offset,
    move(ms: number) {
      offset += ms
    },
  }
}

export interface TestProgram {
  readonly url: string
  readonly dataDir: string
  readonly clock: ReturnType<typeof movableClock>
  /** A connection of the test's own, to look at the rows from outside, or to be the operator. */
  readonly db: Db
  /** What the activity list of this user would hold. */
  activityOf(email: string): Promise<ActivityRow[]>
  /** The phases of all streams that this user ever had: to look while nobody lets the user look. */
  phasesOf(email: string): Promise<string[]>
  /** As the operator's command does it. */
  setPlan(
    email: string,
    plan: PlanId,
    change?: { plan_until?: number | null; suspended_at?: number | null },
  ): Promise<void>
  /** Every row of every table as text: to look for what must not be there. */
  dump(): Promise<string>
  /** Everything that was logged, as text: to look for what must not be there. */
  logged(): string
  close(): Promise<void>
}

/** As in the testkit: a busy machine is no reason to refuse a stream here. */
const TEST_SETTINGS = {
  // What a plan allows has tests of its own.
  ENFORCE_PLANS: 'false',
  MAX_VIDEO_HEIGHT: '1080',
  ALLOW_PRIVATE_NETWORK: 'true',
  TRUST_PROXY: 'true',
  MAX_CPU_PERCENT: '100',
  // However many cores the machine has: tests say in which order videos are prepared.
  MAX_LONG_PREPARATIONS: '1',
  // Nobody listens there: a platform that cannot be reached.
  BIGO_API_URL: 'http://127.0.0.1:1',
  STREAMLABS_API_URL: 'http://127.0.0.1:1',
  TELEGRAM_API_URL: 'http://127.0.0.1:1',
  DISCORD_API_URL: 'http://127.0.0.1:1',
}

/**
 * What would be waited for for seconds, and has no meaning of its own in a test. The database is asked a few times a second whether anything
 * has happened: at twenty times, each program that only stood there took a twentieth of a core.
 */
const TEST_TIMINGS: Partial<Timings> = {
  endedPlansMs: 500,
  planEnds: { firstAfterMs: 0, everyMs: 500 },
  accountRemoval: { everyMs: 500, answerMs: 3_000 },
  platformEndings: { everyMs: 500, firstRetryMs: 5_000 },
  schedules: {
    ...{ everyMs: 200, aloneEveryMs: 200, planEveryMs: 500 },
    // Where a test moves the clock, time has passed.
    ...{ firstRetryMs: 200, watchMs: 500, restartMs: 1_000, settleMs: 0 },
  },
  telegram: {
    ...{ codeMs: 15 * 60_000, pollSeconds: 5, lookMs: 200 },
    ...{ conflictMs: 200, firstRetryMs: 100, leaseMs: 20_000 },
  },
  alerts: { everyMs: 150, firstRetryMs: 300, sendMs: 3_000 },
  webhooks: {
    ...{ everyMs: 150, claimMs: 5_000, tryMs: 1_000, tidyMs: 400 },
    retriesMs: [50, 100, 150, 150, 150, 150],
  },
  desiredStateMs: 500,
  returningSourceMs: 1_000,
  feedLeaveMs: 500,
  previewLeaveMs: 500,
  refillMs: 3_000,
  // A sixteenth of the suite went into passwords. What they cost otherwise has a test of its own.
  passwordCost: { memoryCost: 8, timeCost: 1 },
  mailRetriesMs: [50, 50, 50, 50, 50, 50, 50, 50],
}

/** The whole program in this process, on a free port: the clock is the test's, and some moments come soon; everything else is real. */
export async function startProgram(env: Record<string, string> = {}, timings?: Partial<Timings>): Promise<TestProgram> {
  const folder: TempDir = await tempDir('siarin-server')
  const clock = movableClock()
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  await putMigratedSqlite(join(folder.path, 'siarin.db'))
  const config = readConfig({ DATA_DIR: folder.path, ...TEST_SETTINGS, ...env })
  // PostgreSQL does not tell the program of what a test changes by itself: such a change is to count at once, as it does on SQLite.
  const callerMemory = config.databaseUrl ? { callerMemoryMs: 0 } : {}
  const program = await createProgram(config, log, clock, { ...TEST_TIMINGS, ...callerMemory, ...timings })
  const url = await program.app.listen({ port: 0, host: '127.0.0.1' })
  await program.start()
  const db = openDatabase(config.databaseUrl, config.dataDir, log)
  return {
    url,
    dataDir: folder.path,
    clock,
    db,
    async activityOf(email) {
      const user = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
      return db.selectFrom('activity').selectAll().where('user_id', '=', user.id).execute()
    },
    async phasesOf(email) {
      const rows = await db
        .selectFrom('streams')
        .innerJoin('users', 'users.id', 'streams.user_id')
        .select('streams.phase')
        .where('users.email', '=', email)
        .execute()
      return rows.map(({ phase }) => phase)
    },
    async setPlan(email, plan, change = {}) {
      await db
        .updateTable('users')
        .set({ plan, plan_until: null, ...change })
        .where('email', '=', email)
        .execute()
    },
    async dump() {
      const tables = [
        'users',
        'sessions',
        'activity',
        'videos',
        'streams',
        'stream_events',
        'platform_accounts',
        'online_sources',
        'targets',
        'platform_broadcasts',
        'outbox',
        'schedules',
        'schedule_occurrences',
        'alert_settings',
        'alert_incidents',
        'alerts',
        'alert_channels',
        'alert_deliveries',
        'webhook_endpoints',
        'webhook_deliveries',
      ] as const
      return JSON.stringify(await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute())))
    },
    logged: () => lines.join(''),
    async close() {
      await db.destroy()
      await program.close()
      await folder.remove()
    },
  }
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape, that is its point
  readonly body: any
}

/** One JSON call over real HTTP. */
export async function call(
  url: string,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const answer = text === '' ? null : JSON.parse(text)
  const address = headers['x-forwarded-for']
  if (answer?.token && address) loggedInFrom.set(answer.token, address)
  return { status: response.status, headers: response.headers, body: answer }
}

/** A session goes on from where it began: what it may do depends on that. */
const loggedInFrom = new Map<string, string>()

export interface TestUser {
  readonly username: string
  readonly email: string
  readonly password: string
}

export const newUser = (): TestUser => {
  const name = `user${randomBytes(5).toString('hex')}`
  return { username: name, email: `${name}@gmail.com`, password: 'rahasia-sekali' }
}

/** An address of its own for each caller, so that one test's rate limits are not another's. */
export const fromAddress = (address: string): Record<string, string> => ({ 'x-forwarded-for': address })

export const randomAddress = (): string => `10.${[...randomBytes(3)].join('.')}`

/** A registered and logged-in person. */
export async function signIn(url: string): Promise<LoginAnswer & { password: string }> {
  const user = newUser()
  const headers = fromAddress(randomAddress())
  await call(url, 'POST', '/auth/register', { body: user, headers })
  const { body } = await call(url, 'POST', '/auth/login', { body: user, headers })
  return { ...body, password: user.password }
}

export function bearer(token: string): Record<string, string> {
  const address = loggedInFrom.get(token)
  return { authorization: `Bearer ${token}`, ...(address && fromAddress(address)) }
}

/** Uploads by the specified call and answers what the server said. */
export async function uploadVideo(
  url: string,
  apiKey: string,
  file: string | Blob,
  name = 'klip.mp4',
  field = 'video',
) {
  const form = new FormData()
  form.set(field, typeof file === 'string' ? await openAsBlob(file) : file, name)
  const response = await fetch(`${url}/fitur/video/upload?apiKey=${apiKey}`, { method: 'POST', body: form })
  // biome-ignore lint/suspicious/noExplicitAny: the test asserts the shape
  return { status: response.status, body: (await response.json()) as any }
}

/** With the session in `headers`, as the page asks, it is not counted against the plan. */
export const videosOf = async (url: string, apiKey: string, headers = {}): Promise<Video[]> =>
  (await call(url, 'GET', `/fitur/video?apiKey=${apiKey}`, { headers })).body.data

/** Waits until a video is prepared, or has failed. */
export const processed = (url: string, apiKey: string, filename: string, headers = {}): Promise<Video> =>
  waitFor(
    `${filename} to be processed`,
    async () =>
      (await videosOf(url, apiKey, headers)).find(
        (video) => video.filename === filename && video.status !== 'processing',
      ),
    { timeoutMs: 300_000 },
  )

/** One that a test has started as a user does. */
type ProgramApart = Pick<TestProgram, 'url' | 'dataDir'>

/**
 * Gives somebody a video that can go on air: uploaded and prepared, but where a program of this run has done so before. `page`: the headers
 * of the page, whose calls no plan counts.
 */
export async function giveVideo(
  at: string | ProgramApart | TestProgram,
  user: Pick<SessionUser, 'apiKey' | 'email'>,
  clip: string,
  page = {},
): Promise<void> {
  const url = typeof at === 'string' ? at : at.url
  const prepare = async (): Promise<string> => {
    const { status, body } = await uploadVideo(url, user.apiKey, clip)
    if (status !== 200) throw new Error(`the video was refused: ${status} ${body.message}`)
    return (await processed(url, user.apiKey, body.data.filename, page)).filename
  }
  if (typeof at === 'string') await prepare()
  else if ('db' in at) await addReadyVideo(at, user, clip, prepare)
  // On a server of databases we do not know which is its own.
  else if (existsSync(join(at.dataDir, 'siarin.db'))) await addReadyVideoBeside(at, user, clip, prepare)
  else await prepare()
}

/** Somebody with such a video. */
export async function personWithVideo(at: string | ProgramApart | TestProgram, clip: string): Promise<SessionUser> {
  const { user } = await signIn(typeof at === 'string' ? at : at.url)
  await giveVideo(at, user, clip)
  return user
}
