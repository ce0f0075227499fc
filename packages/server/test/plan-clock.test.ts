import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../src/platform/db/database.ts'
import { USUAL_TIMINGS } from '../src/platform/timings.ts'
import { personWithVideo, type TestProgram } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

const DAY_MS = 86_400_000
/** As operators have it: a big jump of the clock is in doubt for an hour. */
const SCHEDULES = { ...USUAL_TIMINGS.schedules, everyMs: 100, aloneEveryMs: 100 }

let stage: StreamStage
let folder: TempDir | undefined
afterEach(async () => {
  await stage.close()
  await folder?.remove()
})

/** Somebody with a month of a paid plan, on air. */
async function paying(key: string, at: TestProgram | string = stage.program) {
  const user = await personWithVideo(at, stage.clip)
  await stage.program.setPlan(user.email, 'business', { plan_until: stage.program.clock.now() + 30 * DAY_MS })
  const { status } = await stage.start(user.apiKey, key)
  expect(status).toBe(200)
  await stage.rtmp.waitForPublisher(key, { growing: true })
  const ended = () => stage.program.phasesOf(user.email).then((phases) => phases.includes('ended'))
  return { ...user, key, ended }
}

/** More than a pass of the clip: what was asked to end has ended with it. */
async function passed(key: string): Promise<void> {
  const sentMs = async () => (await stage.rtmp.publisher(key))?.timeMs
  const since = await sentMs()
  await waitFor('a pass', async () => {
    const now = await sentMs()
    return now === undefined || since === undefined || now > since + 4_000
  })
}

describe('[PLAN-03] what is on air while the clock is wrong', { timeout: 300_000 }, () => {
  it('stays on air where the clock is 40 days ahead for a while; a suspension counts meanwhile, and at once', async () => {
    stage = await openStreamStage({ ENFORCE_PLANS: 'true' }, { schedules: SCHEDULES, endedPlansMs: 100 })
    const { clock, setPlan } = stage.program
    const kept = await paying('kept')
    const suspended = await paying('suspended')
    clock.move(40 * DAY_MS)
    await waitFor('the jump to be seen', async () => stage.program.logged().includes('the clock was set forward'))
    // Seen by a look at all who are on air, which comes later than those before.
    await setPlan(suspended.email, 'business', { suspended_at: clock.now() })
    await waitFor('the end of who is suspended', suspended.ended)
    await passed('kept')
    expect(await stage.program.phasesOf(kept.email)).toEqual(['live'])
    clock.move(-40 * DAY_MS)
    await passed('kept')
    expect(await stage.active(kept.apiKey)).toMatchObject([{ state: 'live' }])
  })

  it('goes on at a boot by such a clock, also before it is on air again', async () => {
    folder = await tempDir('plan-clock')
    const env = { ENFORCE_PLANS: 'true', DATA_DIR: folder.path }
    stage = await openStreamStage(env, { schedules: SCHEDULES, endedPlansMs: 100 })
    const [kept, suspended] = [await paying('kept', stage.program.url), await paying('suspended', stage.program.url)]
    await stage.close()
    // The same as a clock that is ahead: all that is known lies 40 days back, and the plan would have ended since.
    const db = openSqlite(join(folder.path, 'siarin.db'))
    const back = (column: 'wall_at' | 'plan_until') => sql<number>`${sql.ref(column)} - ${40 * DAY_MS}`
    await db
      .updateTable('schedule_clocks')
      .set({ boot_id: 'the boot before', wall_at: back('wall_at') })
      .execute()
    await db
      .updateTable('users')
      .set({ plan_until: back('plan_until') })
      .execute()
    const byOperator = db.updateTable('users').set({ suspended_at: Date.now() })
    await byOperator.where('email', '=', suspended.email).execute()
    await db.destroy()
    stage = await openStreamStage(env, { schedules: SCHEDULES, endedPlansMs: 100 })
    await waitFor('the end of who is suspended', async () =>
      (await stage.program.phasesOf(suspended.email)).includes('ended'),
    )
    expect(await stage.program.phasesOf(kept.email)).not.toContain('ended')
    const wanted = stage.program.db.selectFrom('broadcasts').select('desired').distinct()
    expect(await wanted.orderBy('desired').execute()).toEqual([{ desired: 'live' }, { desired: 'stopped' }])
    stage.program.clock.move(-40 * DAY_MS)
    expect(await stage.active(kept.apiKey)).toHaveLength(1)
  })

  it('ends where the clock stays there: the plan is over', async () => {
    // A jump is sure after a second here.
    const schedules = { ...SCHEDULES, settleMs: 20 }
    stage = await openStreamStage({ ENFORCE_PLANS: 'true' }, { schedules, endedPlansMs: 100 })
    const over = await paying('over')
    stage.program.clock.move(40 * DAY_MS)
    await waitFor('its end', over.ended)
    const rows = await stage.program.db.selectFrom('streams').select('end_cause').execute()
    expect(rows).toEqual([{ end_cause: 'plan-ended' }])
  })
})
