import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { LIVE_STATE } from '../../../../src/modules/analytics/sample-rules.ts'
import { DAY_MS, type Filling, HOUR_MS } from '../account.ts'
import { fillRows, groupOf, idAt, idOf, placeIn, plus } from '../fill-rows.ts'

const SLOT_MS = 5_000
const MINUTE_MS = 60_000

/** A broadcast that was on air for a year to all the targets that it can have, with its figures and all that happened to it. */
export async function fillAnalytics({
  db,
  userId,
  like,
  amounts,
  now,
}: Filling): Promise<{ watched: string; watchedStream: string }> {
  const streams = amounts.figureTargets
  const watched = randomUUID()
  const began = now - amounts.hourDays * DAY_MS
  const ids = randomUUID()
  await fillRows(db, 'stat_streams', streams, {
    ...like.statStream,
    ...{ stream_id: idOf(ids), broadcast_id: watched, user_id: userId, asked_at: began, known_from: began },
    ...{ first_live_at: began, ended_at: now - HOUR_MS, seen_at: now - HOUR_MS },
  })
  await db.insertInto('stat_broadcasts').values({ broadcast_id: watched, user_id: userId, asked_at: began }).execute()
  const newest = db
    .selectFrom('stat_streams')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('broadcast_id', '=', watched)
  const first = Number((await newest.executeTakeFirstOrThrow()).id) - streams + 1
  const spansEach = Math.ceil(amounts.spans / streams)
  const lengthMs = Math.floor((now - HOUR_MS - began) / spansEach)
  await fillRows(db, 'stat_spans', spansEach * streams, {
    ...{ stream_no: plus(first, 1, groupOf(spansEach)), began_at: plus(began, lengthMs, placeIn(spansEach)) },
    ...{ ended_at: plus(began + lengthMs, lengthMs, placeIn(spansEach)), planned: 0 },
    kind: sql`case when i % 2 = 0 then 'run' else 'incident' end`,
    reason: sql`case when i % 2 = 0 then null else 'target-closed' end`,
    outcome: sql`case when i % 2 = 0 then null else 'recovered' end`,
  })
  const figures = { kbps: 2_500, unsent_kb: 3, fps: 300, speed: 1000 }
  const slots = (amounts.sampleHours * HOUR_MS) / SLOT_MS
  await fillRows(db, 'stat_samples', slots * streams, {
    ...{ at: plus(Math.floor(now / SLOT_MS) - slots, 1, groupOf(streams)), state: LIVE_STATE, ...figures },
    stream_no: plus(first, 1, placeIn(streams)),
  })
  const rollup = { ...figures, kbps_min: 2_000, kbps_max: 3_000 }
  const minutes = (amounts.minuteDays * DAY_MS) / MINUTE_MS
  await fillRows(db, 'stat_minutes', minutes * streams, {
    ...{
      at: plus(Math.floor(now / MINUTE_MS) - minutes, 1, groupOf(streams)),
      ...rollup,
      samples: 12,
      live: 12,
      measured: 12,
    },
    stream_no: plus(first, 1, placeIn(streams)),
  })
  const hours = amounts.hourDays * 24
  await fillRows(db, 'stat_hours', hours * streams, {
    ...{
      at: plus(Math.floor(now / HOUR_MS) - hours, 1, placeIn(hours)),
      ...rollup,
      samples: 720,
      live: 720,
      measured: 720,
    },
    stream_no: plus(first, 1, groupOf(hours)),
  })
  return { watched, watchedStream: idAt(ids, 0) }
}
