import { randomUUID } from 'node:crypto'
import type { ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import { wallTimeAt } from '@siarin/contracts/schedules/wall-time'
import { createLibraryRepo } from '../../src/modules/library/library.repo.ts'
import { call, signIn, type TestProgram } from './program.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
const ZONE = 'Asia/Jakarta'

/** The first whole minute at least so far ahead. */
export const minuteAfter = (now: number, aheadMs = 2 * MINUTE_MS): number =>
  Math.ceil((now + aheadMs) / MINUTE_MS) * MINUTE_MS

const clockOf = (at: number): string => {
  const { minutes } = wallTimeAt(ZONE, at)
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** Once, at this minute, for so long. */
export const onceAt = (at: number, minutes = 60) => ({
  repeat: { kind: 'once', date: wallTimeAt(ZONE, at).date },
  windows: [{ start: clockOf(at), minutes }],
})
export const dailyAt = (at: number, minutes = 60) => ({ ...onceAt(at, minutes), repeat: { kind: 'daily' } })

/** Nobody listens there. A broadcast of a video without a file never gets as far. */
const someTarget = () => ({ platform: 'lain', rtmpStream: `rtmp://127.0.0.1:1/live/kunci-${randomUUID()}` })

/** Somebody who schedules. Their video is a row alone: what is started needs no ffmpeg, and ends by itself. */
export async function scheduler({ url, db }: Pick<TestProgram, 'url' | 'db'>) {
  const { user } = await signIn(url)
  const { id } = await db.selectFrom('users').select('id').where('email', '=', user.email).executeTakeFirstOrThrow()
  const videoId = randomUUID()
  await createLibraryRepo(db).insert({
    ...{ id: videoId, user_id: id, filename: 'klip.mp4', status: 'ready', original_bytes: 1, master_bytes: 0 },
    ...{ content_type: 'video/mp4', created_at: Date.now() },
  })
  return { ...scheduleCalls({ url, db }, user.apiKey), ...user, id, videoId }
}

export function scheduleCalls({ url, db }: Pick<TestProgram, 'url' | 'db'>, apiKey: string) {
  const ask = (method: string, path: string, body?: unknown) =>
    call(url, method, `/fitur/schedule${path}`, { body, headers: { 'x-api-key': apiKey } })
  return {
    apiKey,
    ask,
    create: (rule: object, more: object = {}, broadcast: object = {}) =>
      ask('POST', '', { rule, broadcast: { source: 'klip.mp4', ...someTarget(), ...broadcast }, ...more }),
    upcoming: async (query = ''): Promise<ScheduledOccurrence[]> => (await ask('GET', `/upcoming${query}`)).body.data,
    rowsOf: (scheduleId: string) =>
      db
        .selectFrom('schedule_occurrences')
        .selectAll()
        .where('schedule_id', '=', scheduleId)
        .orderBy('due_at')
        .execute(),
    broadcasts: (userId: string) =>
      db.selectFrom('broadcasts').select(['id', 'created_at']).where('user_id', '=', userId).execute(),
  }
}
