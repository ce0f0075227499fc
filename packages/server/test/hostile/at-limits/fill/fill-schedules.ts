import { randomUUID } from 'node:crypto'
import { DAY_MS, type Filling, HOUR_MS, type Ids } from '../account.ts'
import { fillRows, groupOf, idOf, placeIn, plus, text } from '../fill-rows.ts'

/** How far ahead the program makes rows of what comes. */
const HORIZON_DAYS = 8

export async function fillSchedules({ db, userId, like, amounts, now }: Filling): Promise<{ schedules: Ids }> {
  const schedules = { like: randomUUID(), count: amounts.schedules - 1 }
  await fillRows(db, 'schedules', schedules.count, {
    ...like.schedule,
    ...{ id: idOf(schedules.like), user_id: userId, title: text('Jadwal '), created_at: plus(now - DAY_MS, 1000) },
  })
  const each = amounts.windowsEach * HORIZON_DAYS
  const everyMs = DAY_MS / amounts.windowsEach
  const first = Math.ceil(now / HOUR_MS) * HOUR_MS
  await fillRows(db, 'schedule_occurrences', schedules.count * each, {
    ...like.occurrence,
    ...{ id: idOf(randomUUID()), schedule_id: idOf(schedules.like, groupOf(each)), user_id: userId },
    ...{ due_at: plus(first, everyMs, placeIn(each)), start_by: plus(first + HOUR_MS, everyMs, placeIn(each)) },
    ends_at: plus(first + HOUR_MS, everyMs, placeIn(each)),
  })
  return { schedules }
}
