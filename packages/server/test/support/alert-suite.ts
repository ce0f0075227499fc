import { afterEach, beforeEach, vi } from 'vitest'
import type { Db } from '../../src/platform/db/database.ts'
import { alertWorld } from './alert-world.ts'
import { addUser, type RepoDatabase } from './repo-databases.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
/** Noon in Jakarta. */
export const NOON = Date.parse('2026-11-16T05:00:00Z')

export const until = (assertion: () => unknown) => vi.waitFor(assertion, { timeout: 120_000, interval: 10 })
/** For what must not happen: fifteen times as long as the programs of a world take to look again. */
export const settle = () => new Promise((resolve) => setTimeout(resolve, 150))

/** For the surrounding `describe`: for each of its tests a database, a user and a world at noon. */
export function alertSuite(open: () => Promise<RepoDatabase>) {
  let opened: RepoDatabase
  let userId: string
  let world: ReturnType<typeof alertWorld>
  beforeEach(async () => {
    opened = await open()
    userId = await addUser(opened.db)
    world = alertWorld(opened.db, NOON)
  })
  afterEach(async () => {
    await world.stopAll()
    await opened.close()
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
