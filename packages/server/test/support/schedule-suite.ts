import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Db } from '../../src/platform/db/database.ts'
import { addUser, type RepoDatabase } from './repo-databases.ts'
import { scheduleWorld } from './schedule-world.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000
export const NOON = Date.parse('2026-11-16T05:00:00Z')
/** 13:00 in Jakarta, until 14:00. */
export const DUE = NOON + HOUR_MS
export const DAILY = { repeat: { kind: 'daily' }, windows: [{ start: '13:00', end: '14:00' }] }
export const ONCE = { ...DAILY, repeat: { kind: 'once', date: '2026-11-16' } }

/** For the surrounding `describe`: one database, and for each of its tests a user and an empty world at noon. */
export function scheduleSuite(open: () => Promise<RepoDatabase>) {
  let opened: RepoDatabase
  let userId: string
  let world: ReturnType<typeof scheduleWorld>
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())
  beforeEach(async () => {
    await opened.db.deleteFrom('schedules').execute()
    userId = await addUser(opened.db)
    world = scheduleWorld(opened.db, userId, NOON)
  })
  return {
    get db(): Db {
      return opened.db
    },
    get userId() {
      return userId
    },
    get world() {
      return world
    },
    statesOf: async (id: string) => (await world.occurrencesOf(id)).map(({ state }) => state),
    async factsOf(id: string) {
      const told = opened.db.selectFrom('outbox').select(['fact', 'payload']).where('subject_id', '=', id)
      return (await told.orderBy('id').execute()).map(({ fact, payload }) => ({ fact, ...JSON.parse(payload) }))
    },
  }
}
