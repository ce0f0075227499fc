import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import { makeClip } from '@siarin/testkit/clips'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userSetPlan } from '../src/cli/user-changes.ts'
import { createSealer } from '../src/platform/secrets/seal.ts'
import { DATABASES, type TestDatabases } from './support/databases.ts'
import { bearer, call, giveVideo, signIn, startProgram, type TestProgram } from './support/program.ts'
import { openStreamStage } from './support/streams.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** A round every 20 ms; the days of a test are many. */
const TIMINGS = { clearance: { firstAfterMs: 20, everyMs: 20 } }
const SOON = { everyMs: 10 }

/** A round that begins after this moment has judged this person: the videos are gone, or they stay. */
async function passRound({ clock, db }: TestProgram, email: string): Promise<void> {
  const since = clock.now()
  const row = db.selectFrom('users').selectAll().where('email', '=', email)
  await waitFor(
    'a round',
    async () => {
      const { ended_checked_at: at, videos_deleted_at: gone } = await row.executeTakeFirstOrThrow()
      return gone !== null || (at ?? 0) >= since
    },
    SOON,
  )
}

/** Day by day, each seen by a round: of days in which nobody looks none counts as a warning. */
async function passDays(program: TestProgram, email: string, count: number): Promise<void> {
  for (let day = 0; day < count; day++) {
    program.clock.move(DAY_MS)
    await passRound(program, email)
  }
}

/** Their calls are those of the page: a slow machine asks more often than a trial lets a program. */
async function personWithClip(program: TestProgram, clip: string) {
  const { user, token, password } = await signIn(program.url)
  await giveVideo(program, user, clip, bearer(token))
  return { ...user, token, password }
}

describe.each(DATABASES)('[PLAN-03] videos after the end of a plan on $name', ({ open }) => {
  let databases: TestDatabases
  let program: TestProgram
  let folder: TempDir
  let clip: string

  beforeAll(async () => {
    databases = await open()
    folder = await tempDir('ended')
    clip = join(folder.path, 'klip.mp4')
    await makeClip(clip, { seconds: 1 })
    program = await startProgram({ ...(await databases.settings()), ENFORCE_PLANS: 'true', TRIAL_DAYS: '1' }, TIMINGS)
  })
  afterAll(async () => {
    await program.close()
    await databases.stop()
    await folder.remove()
  })

  const userRow = (email: string) =>
    program.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
  const rowsOf = async (email: string) => {
    const { id } = await userRow(email)
    return program.db.selectFrom('videos').selectAll().where('user_id', '=', id).execute()
  }
  const person = () => personWithClip(program, clip)
  const noticed = (email: string) =>
    waitFor('the end to be noticed', async () => (await userRow(email)).ended_seen_at !== null, SOON)

  /** As a time server does, seen by a round: the days of warning go on. */
  const putBack = async (email: string, ms: number) => {
    program.clock.move(-ms)
    const later = program.clock.now() + ms / 2
    await waitFor('a round', async () => Number((await userRow(email)).ended_checked_at) < later, SOON)
  }

  it('stay for fourteen days, which the person is told, then go with their files; a plan that runs keeps its own', async () => {
    const gone = await person()
    const paying = await person()
    await program.db.updateTable('users').set({ plan: 'starter' }).where('email', '=', paying.email).execute()
    const { id } = await userRow(gone.email)

    program.clock.move(DAY_MS + HOUR_MS)
    // The session has not ended meanwhile.
    const { body } = await call(program.url, 'GET', '/auth/plan', { headers: bearer(gone.token) })
    const registered = (await userRow(gone.email)).created_at
    expect(body.data).toMatchObject({
      state: 'ended',
      videosDeletedAt: new Date(registered + 15 * DAY_MS).toISOString(),
    })

    await noticed(gone.email)
    await passDays(program, gone.email, 13)
    expect(await rowsOf(gone.email)).toHaveLength(1)
    expect((await userRow(gone.email)).videos_deleted_at).toBeNull()

    await putBack(gone.email, 2000)
    program.clock.move(DAY_MS)
    await waitFor('the videos to go', async () => (await userRow(gone.email)).videos_deleted_at !== null)
    expect(await rowsOf(gone.email)).toEqual([])
    expect(await readdir(join(program.dataDir, 'media'))).not.toContain(id)
    expect(await rowsOf(paying.email)).toHaveLength(1)

    const told = async () =>
      (await program.activityOf(gone.email)).filter(({ kind }) => kind === 'videos-cleared').length
    await waitFor('the entry', async () => (await told()) > 0)
    expect(await told()).toBe(1)
    await program.db.updateTable('users').set({ plan: 'starter' }).where('email', '=', gone.email).execute()
    const { body: list } = await call(program.url, 'GET', `/fitur/activity?apiKey=${gone.apiKey}`)
    expect(list.data).toContainEqual(
      expect.objectContaining({
        text: 'Video dihapus 14 hari setelah paket berakhir',
        status: 'Berhasil',
        device: null,
        address: null,
      }),
    )
  })

  it('stay where the end lies far in the past when it is noticed: nobody has been warned', async () => {
    const { email } = await person()
    await program.db
      .updateTable('users')
      .set({ plan: 'starter', plan_until: program.clock.now() - 18 * DAY_MS })
      .where('email', '=', email)
      .execute()
    await noticed(email)
    await passDays(program, email, 1)
    expect(await rowsOf(email)).toHaveLength(1)
  })

  it('stay for fourteen days more after a time in which nobody looked: machine off, clock set, plans not in force', async () => {
    const { email } = await person()
    program.clock.move(DAY_MS + HOUR_MS)
    await noticed(email)
    program.clock.move(20 * DAY_MS)
    const back = program.clock.now()
    await passRound(program, email)
    expect((await userRow(email)).ended_seen_at).toBeGreaterThanOrEqual(back)
    await passDays(program, email, 13)
    expect(await rowsOf(email)).toHaveLength(1)
    await passDays(program, email, 1)
    expect(await rowsOf(email)).toEqual([])
  })

  it('[PLAN-05] stay while their owner is suspended, and fourteen days after that', async () => {
    const { email } = await person()
    const witness = await person()
    const suspend = (suspended_at: number | null) =>
      program.db.updateTable('users').set({ suspended_at }).where('email', '=', email).execute()
    program.clock.move(DAY_MS + HOUR_MS)
    await noticed(email)
    await suspend(program.clock.now())
    await passDays(program, witness.email, 15)
    expect(await rowsOf(witness.email)).toHaveLength(0)
    expect(await rowsOf(email)).toHaveLength(1)
    // Taken before: a round may come as soon as the row is written.
    const resumed = program.clock.now()
    await suspend(null)
    await waitFor('a round', async () => ((await userRow(email)).ended_seen_at ?? 0) >= resumed)
    expect(await rowsOf(email)).toHaveLength(1)
  })

  it('[PLAN-05] stay for fourteen days from the moment the operator takes a plan back', async () => {
    const { db, clock } = program
    const refunded = await person()
    const openSealer = async () => createSealer(new Secret('no key is changed here'))
    const context = { db, clock, trialDays: 1, enforced: true, operator: 'tes', publicUrl: null, port: 0, openSealer }
    const setPlan = (plan: string) => userSetPlan.prepare({ positionals: [refunded.email, plan], options: {} })(context)
    // Its end was noticed long ago, and that counts no more once there has been a plan since.
    clock.move(40 * DAY_MS)
    await noticed(refunded.email)
    await setPlan('starter')
    clock.move(20 * DAY_MS)

    const takenBackAt = clock.now()
    expect((await setPlan('free-trial')).json).toMatchObject({ user: { plan: 'free-trial', state: 'ended' } })
    const { email, password } = refunded
    const { token } = (await call(program.url, 'POST', '/auth/login', { body: { email, password } })).body
    const { body } = await call(program.url, 'GET', '/auth/plan', { headers: bearer(token) })
    expect(body.data.state).toBe('ended')
    expect(Date.parse(body.data.videosDeletedAt)).toBeGreaterThanOrEqual(takenBackAt + 14 * DAY_MS)

    await passDays(program, refunded.email, 13)
    clock.move(DAY_MS - HOUR_MS)
    await passRound(program, refunded.email)
    expect(await rowsOf(refunded.email)).toHaveLength(1)

    clock.move(HOUR_MS)
    await waitFor('the videos to go', async () => (await rowsOf(refunded.email)).length === 0)
  })
})

describe('[PLAN-03] a video that is on air when it should go', () => {
  it('goes once it is off air', async () => {
    const stage = await openStreamStage({ ENFORCE_PLANS: 'true', TRIAL_DAYS: '1' }, TIMINGS)
    try {
      const { db, clock } = stage.program
      const { apiKey, email } = await personWithClip(stage.program, stage.clip)
      const videos = () => db.selectFrom('videos').select('id').execute()
      await stage.start(apiKey, 'tayang')
      await stage.rtmp.waitForPublisher('tayang', { growing: true })
      clock.move(20 * DAY_MS)
      await passRound(stage.program, email)
      expect(await videos()).toHaveLength(1)
      await passDays(stage.program, email, 15)
      await waitFor('the video to go', async () => (await videos()).length === 0)
      const streams = await db.selectFrom('streams').select(['phase', 'end_cause']).execute()
      expect(streams).toEqual([{ phase: 'ended', end_cause: 'plan-ended' }])
    } finally {
      await stage.close()
    }
  })
})
