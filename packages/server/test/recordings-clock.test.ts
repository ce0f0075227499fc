import { waitFor } from '@siarin/testkit/wait-for'
import { describe, expect, it } from 'vitest'
import { USUAL_TIMINGS } from '../src/platform/timings.ts'
import { SQLITE } from './support/databases.ts'
import { HOUR_MS, recordingStage } from './support/recordings.ts'

const DAY_MS = 24 * HOUR_MS
/** As operators have it: a big jump of the clock is in doubt for an hour. */
const SCHEDULES = { ...USUAL_TIMINGS.schedules, everyMs: 100, aloneEveryMs: 100 }

describe('[REC-03] [REC-04] recordings while the clock is wrong', () => {
  const stage = recordingStage(SQLITE.open, { timings: { schedules: SCHEDULES } })

  it('stay, and the one that is being made goes on: none is full or too old by such a clock', async () => {
    const { db, clock } = stage.program
    const { owner, recording } = await stage.recorded()
    const dropped = await stage.recorded()
    const at = clock.now() - 60_000
    const id = await stage.broadcast(owner, at)
    await stage.send(owner, id, [{ at, ms: null }])
    await db.updateTable('streams').set({ sent_ms: 30_000 }).where('id', '=', id).execute()
    await stage.live(owner, id, at)
    const own = () => owner.list(`?broadcastId=${id}`)
    await waitFor('it to be made', async () => (await own()).length === 1)
    const told = { told_at: at - 2 * DAY_MS, kept_until: at - DAY_MS, checked_at: clock.now() + 400 * DAY_MS }
    const row = db.updateTable('recordings').where('id', '=', recording.recordingId)
    clock.move(400 * DAY_MS)
    await waitFor('the jump to be seen', async () => stage.program.logged().includes('the clock was set forward'))
    // Older than any plan keeps one.
    await row.set({ ...told, to_at: at - 800 * DAY_MS }).execute()
    // Its owner has deleted it: a round that removes it has looked at all.
    const gone = dropped.recording.recordingId
    await db.updateTable('recordings').set({ removing_at: at }).where('id', '=', gone).execute()
    await waitFor('a round', async () => (await stage.rowOf(gone)) === undefined)
    expect(await stage.rowOf(recording.recordingId)).toMatchObject(told)
    expect((await own()).map(({ state, endedAt }) => [state, endedAt])).toEqual([['recording', null]])
    clock.move(-400 * DAY_MS)
    await stage.end(owner, id, at + 30_000)
    await stage.ready(owner, id)
    expect((await own()).map(({ state, seconds }) => [state, seconds])).toEqual([['ready', 30]])
  })
})
