import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import type { Db } from '../../src/platform/db/database.ts'
import { alertWorld } from './alert-world.ts'
import { addUser, clearUsers, type RepoDatabase } from './repo-databases.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
/** Noon in Jakarta. */
export const NOON = Date.parse('2026-11-16T05:00:00Z')

export const until = (assertion: () => unknown) => vi.waitFor(assertion, { timeout: 120_000, interval: 20 })
/** For what must not happen: ten times as long as the programs of a world take to look again. */
export const settle = () => new Promise((resolve) => setTimeout(resolve, 200))

/** For the surrounding `describe`: a database, and for each of its tests a user and a world at noon. */
export function alertSuite(open: () => Promise<RepoDatabase>) {
  let opened: RepoDatabase
  let userId: string
  let world: ReturnType<typeof alertWorld>
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())
  beforeEach(async () => {
    userId = await addUser(opened.db)
    world = alertWorld(opened.db, NOON)
  })
  afterEach(async () => {
    await world.stopAll()
    await clearUsers(opened.db)
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
    channel: (id: string) =>
      opened.db.selectFrom('alert_channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    deliveries: () => opened.db.selectFrom('alert_deliveries').selectAll().orderBy('id').execute(),
  }
}
