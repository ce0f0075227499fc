import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitFor } from '@siarin/testkit/wait-for'
import { describe, expect, it } from 'vitest'
import { DATABASES, SQLITE } from './support/databases.ts'
import { bearer, call } from './support/program.ts'
import { HOUR_MS, recordingStage } from './support/recordings.ts'

const DAY_MS = 24 * HOUR_MS
const EVERY = { everyMs: 10 }

describe.each(DATABASES)('[PLAN-04] [REC-03] how long recordings are kept on $name', ({ open, name }) => {
  const stage = recordingStage(open, {
    env: { ENFORCE_PLANS: 'true', TRIAL_DAYS: '365' },
    timings: { clearance: { firstAfterMs: 20, everyMs: 20 } },
  })

  async function recorded(plan: 'free-trial' | 'starter' | 'creator-pro' = 'starter') {
    const { program } = stage
    const owner = await stage.person()
    await program.setPlan(owner.user.email, plan)
    const at = program.clock.now() - 60_000
    const id = await stage.broadcast(owner, at)
    await stage.send(owner, id, [{ at, ms: 20_000 }])
    await stage.live(owner, id, at)
    await stage.end(owner, id, at + 20_000)
    const { recordingId } = await stage.ready(owner, id)
    return { owner, endedAt: at + 20_000, id: recordingId, broadcastId: id }
  }

  const factsOf = async (id: string) => {
    const rows = await stage.program.db
      .selectFrom('outbox')
      .select(['fact', 'payload'])
      .where('subject_id', '=', id)
      .where('fact', '=', 'recording.expiring')
      .execute()
    return rows.map(({ payload }) => JSON.parse(payload))
  }

  /** A round after the last move of the clock has seen it. */
  async function seen(id: string): Promise<void> {
    const since = stage.program.clock.now()
    await waitFor(
      'a round',
      async () => {
        const row = await stage.rowOf(id)
        return !row || (row.checked_at ?? 0) >= since
      },
      EVERY,
    )
  }

  /** Hour by hour, each seen: of hours in which nobody looks none counts as a warning. */
  async function passHours(id: string, count: number): Promise<void> {
    for (let hour = 0; hour < count; hour++) {
      stage.program.clock.move(HOUR_MS - 60_000)
      await seen(id)
      stage.program.clock.move(60_000)
      await seen(id)
    }
  }

  it('of a plan of seven days goes after them, told once a day before, with its files and pieces', async () => {
    const { owner, endedAt, id, broadcastId } = await recorded()
    const { program } = stage
    expect((await owner.list())[0]?.keptUntil).toBe(new Date(endedAt + 7 * DAY_MS).toISOString())
    const folder = join(program.dataDir, 'media', owner.id, id)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, '1.ts'), 'x')
    program.clock.move(6 * DAY_MS - HOUR_MS)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await factsOf(id)).toEqual([])
    program.clock.move(HOUR_MS)
    await waitFor('it to be told', async () => (await factsOf(id)).length === 1, EVERY)
    await passHours(id, 23)
    expect(await stage.rowOf(id)).toBeDefined()
    await passHours(id, 2)
    await waitFor('it to go', async () => (await stage.rowOf(id)) === undefined, EVERY)
    expect(await factsOf(id)).toHaveLength(1)
    expect(await stat(folder).catch(() => null)).toBeNull()
    const left = await program.db
      .selectFrom('sent_pieces')
      .select('at')
      .where('broadcast_id', '=', broadcastId)
      .execute()
    expect(left).toEqual([])
    const uses = await program.db
      .selectFrom('video_uses')
      .selectAll()
      .where('used_by', '=', `recording:${id}`)
      .execute()
    expect(uses).toEqual([])
  })

  it('of 24 hours is told at once, as an alert too, and is kept for a day from then on', async () => {
    const { owner, id } = await recorded('free-trial')
    const [told] = await waitFor('it to be told', async () => {
      const found = await factsOf(id)
      return found.length > 0 ? found : undefined
    })
    expect(told.goesAt).toBeGreaterThanOrEqual(stage.program.clock.now() + DAY_MS - 120_000)
    await waitFor('the alert', async () => {
      const alerts = await stage.program.db
        .selectFrom('alerts')
        .select('kind')
        .where('user_id', '=', owner.id)
        .execute()
      return alerts.some(({ kind }) => kind === 'recording.expiring')
    })
  })

  it('is kept for longer under a better plan, and not for less under a lesser one', async () => {
    const { owner, endedAt, id } = await recorded('starter')
    const until = (days: number) => endedAt + days * DAY_MS
    await stage.program.setPlan(owner.user.email, 'creator-pro')
    await waitFor('the better plan', async () => (await stage.rowOf(id))?.kept_until === until(30))
    await stage.program.setPlan(owner.user.email, 'free-trial')
    stage.program.clock.move(8 * DAY_MS)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect((await stage.rowOf(id))?.kept_until).toBe(until(30))
  })

  it('[PLAN-03] goes before the videos that it needs, fourteen days after the end of a plan, and is told', async () => {
    const { owner, id } = await recorded('creator-pro')
    const { db, clock } = stage.program
    await db
      .updateTable('users')
      .set({ plan_until: clock.now() - DAY_MS })
      .where('id', '=', owner.id)
      .execute()
    const endSeen = async () => {
      const row = await db
        .selectFrom('users')
        .select('ended_checked_at')
        .where('id', '=', owner.id)
        .executeTakeFirstOrThrow()
      return row.ended_checked_at ?? 0
    }
    for (let day = 0; day < 22; day++) {
      const before = (await stage.rowOf(id))?.told_at ?? null
      if (before !== null) break
      clock.move(DAY_MS)
      const since = clock.now()
      await waitFor(
        'a day to be seen',
        async () =>
          (await endSeen()) >= since || (day < 3 && (await endSeen()) === 0) || (await factsOf(id)).length > 0,
        EVERY,
      )
    }
    await waitFor('it to be told', async () => (await factsOf(id)).length === 1, EVERY)
    const videos = () => db.selectFrom('videos').select('id').where('user_id', '=', owner.id).execute()
    expect(await videos()).toHaveLength(1)
    await passHours(id, 25)
    await waitFor('it to go', async () => (await stage.rowOf(id)) === undefined, EVERY)
    await waitFor('the video to go', async () => (await videos()).length === 0, EVERY)
  })

  it('goes with its account', async () => {
    const { owner, id } = await recorded()
    const folder = join(stage.program.dataDir, 'media', owner.id)
    await mkdir(join(folder, id), { recursive: true })
    await writeFile(join(folder, id, '1.ts'), 'x')
    const { email } = owner.user
    const password = 'rahasia-sekali'
    const { token } = (await call(stage.program.url, 'POST', '/auth/login', { body: { email, password } })).body
    const gone = await call(stage.program.url, 'DELETE', '/auth/profile', {
      headers: bearer(token),
      body: { currentPassword: password, confirm: owner.user.username },
    })
    expect(gone.status).toBe(200)
    expect(await stage.rowOf(id)).toBeUndefined()
    expect(await stat(folder).catch(() => null)).toBeNull()
  })

  // What is judged by the clock alone is judged alike on each database.
  if (name !== SQLITE.name) return

  it('stays for a day more after a machine that was off, and after a clock that was set', async () => {
    const { id } = await recorded('free-trial')
    await waitFor('it to be told', async () => (await factsOf(id)).length === 1)
    stage.program.clock.move(30 * DAY_MS)
    const back = stage.program.clock.now()
    await waitFor('a new day', async () => ((await stage.rowOf(id))?.told_at ?? 0) >= back, EVERY)
    await passHours(id, 23)
    expect(await stage.rowOf(id)).toBeDefined()
    // The clock is put back by days: nothing goes.
    stage.program.clock.move(-10 * DAY_MS)
    await waitFor('that it was told to be forgotten', async () => ((await stage.rowOf(id))?.told_at ?? 0) < back, EVERY)
    expect(await stage.rowOf(id)).toBeDefined()
    expect(stage.program.logged()).not.toContain('could not be judged')
  })

  it('stays while its owner is suspended', async () => {
    const { owner, id } = await recorded('free-trial')
    await waitFor('it to be told', async () => (await factsOf(id)).length === 1)
    const witness = await recorded('free-trial')
    await waitFor('it to be told', async () => (await factsOf(witness.id)).length === 1)
    await stage.program.setPlan(owner.user.email, 'free-trial', { suspended_at: stage.program.clock.now() })
    await passHours(witness.id, 26)
    await waitFor('the other to go', async () => (await stage.rowOf(witness.id)) === undefined)
    expect(await stage.rowOf(id)).toBeDefined()
  })
})
