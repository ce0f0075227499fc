import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import { createDatabase, type PostgresDatabase, startPostgres } from '@siarin/testkit/postgres'
import { nextRedisDatabase, startRedis } from '@siarin/testkit/redis'
import { buildSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { pino } from 'pino'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { migrate, openPostgres, openSqlite } from '../../src/platform/db/database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** The name of a database with every table in its present form. */
    migratedTemplate: string
    redisUrl: string
    /** A SQLite file with every table in its present form. */
    migratedSqlite: string
    /** A folder of videos that some program of this run has prepared. */
    preparedVideos: string
  }
}

/** One PostgreSQL and one Redis for the whole run: a server for each file took longer to start than its tests to run. */
export default async function startSharedServers(project: TestProject): Promise<() => Promise<void>> {
  const [postgres, redis, prepared] = await Promise.all([
    startPostgres(),
    startRedis(),
    tempDir('prepared'),
    buildSiarin(),
  ])
  const template = await postgres.createDatabase()
  const db = openPostgres(new Secret(template), pino({ level: 'silent' }))
  await migrate(db)
  await db.destroy()
  const sqlite = join(prepared.path, 'migrated.db')
  await makeSqlite(sqlite)
  // For the programs that the testkit starts, in every worker.
  process.env['SIARIN_EMPTY_DATABASE'] = sqlite
  project.provide('migratedSqlite', sqlite)
  project.provide('postgresUrl', postgres.url)
  project.provide('migratedTemplate', new URL(template).pathname.slice(1))
  project.provide('redisUrl', redis.url)
  project.provide('preparedVideos', prepared.path)
  return async () => {
    await Promise.all([postgres.stop(), redis.stop(), prepared.remove()])
  }
}

async function makeSqlite(file: string): Promise<void> {
  const db = openSqlite(file)
  await migrate(db)
  await db.destroy()
}

export const emptyPostgres = (): Promise<PostgresDatabase> => createDatabase(inject('postgresUrl'))

/** With every table in its present form. */
export const migratedPostgres = (): Promise<PostgresDatabase> =>
  createDatabase(inject('postgresUrl'), inject('migratedTemplate'))

/** The same as a file of SQLite: migrations have tests of their own, and each takes as long as many a test. */
export const putMigratedSqlite = (file: string): Promise<void> => copyFile(inject('migratedSqlite'), file)

/** A database of the run's Redis: a test that pauses, ends or empties a whole server starts one of its own. */
export const freshRedis = (): Promise<string> => nextRedisDatabase(inject('redisUrl'))
