import { join } from 'node:path'
import type { Secret } from '@siarin/media/secret'
import { BootError } from '../../errors.ts'
import { snapshotBeforeMigration } from '../backup/migration-snapshot.ts'
import { closeToOthers, giveDataToOwner } from '../data-dir.ts'
import type { Log } from '../log.ts'
import { loadAppSecret } from '../secrets/app-secret.ts'
import { isRightSecret, type SealedSample } from '../secrets/right-secret.ts'
import { settleSecretFile } from '../secrets/rotate-secret.ts'
import { createSealer, type Sealer } from '../secrets/seal.ts'
import { PROGRAM_VERSION } from '../version.ts'
import { type Changes, createChanges } from './changes.ts'
import {
  type Db,
  migrate,
  openDatabase,
  openPostgres,
  PROGRAM_MANNERS,
  schemaState,
  unusableDatabase,
} from './database.ts'
import { createDatabaseReserve, type DatabaseReserve } from './database-reserve.ts'
import { createKeepWritten, type KeepWritten, keptByItself } from './keep-written.ts'

interface DatabaseSettings {
  readonly databaseUrl: Secret | null
  readonly dataDir: string
  readonly appSecret: Secret | null
}

interface OpenedDatabase {
  readonly db: Db
  readonly sealer: Sealer
  readonly keepWritten: KeepWritten
  /** Null: the database is a server, and its disk is its own affair. */
  readonly reserve: DatabaseReserve | null
  readonly changes: Changes
}

/** The database in its present form, copied before it is changed, and what opens the keys that it holds. */
export async function openMigrated(
  settings: DatabaseSettings,
  log: Log,
  sampleOf: SealedSample,
): Promise<OpenedDatabase> {
  const { databaseUrl, dataDir } = settings
  await closeToOthers({ dataDir, hasSqlite: databaseUrl === null, log })
  // SQLite gives the files beside the database its owner too.
  await giveDataToOwner(dataDir)
  const changes = createChanges()
  let db: Db
  try {
    db = openDatabase(databaseUrl, dataDir, log, PROGRAM_MANNERS, changes)
    await migrateCopied(db, settings, log)
  } catch (error) {
    throw unusableDatabase(databaseUrl, dataDir, error)
  }
  await settleSecretFile(db, dataDir, sampleOf)
  const sealer = createSealer(await loadAppSecret(settings.appSecret, dataDir))
  // With another secret every stored key is lost, and no broadcast could be resumed: nobody wants to find that out later.
  if (!(await isRightSecret(db, sealer, sampleOf))) {
    throw new BootError(['APP_SECRET is not the one with which this database was filled'])
  }
  if (databaseUrl) return { db, sealer, changes, keepWritten: keptByItself, reserve: null }
  const file = join(dataDir, 'siarin.db')
  return { db, sealer, changes, keepWritten: createKeepWritten(file), reserve: await makeReserve(file, log) }
}

async function makeReserve(file: string, log: Log): Promise<DatabaseReserve> {
  const reserve = createDatabaseReserve(file)
  await reserve.refill().catch((error) => log.warn({ err: error }, 'the reserve of the database could not be made'))
  return reserve
}

async function migrateCopied(db: Db, { databaseUrl, dataDir }: DatabaseSettings, log: Log): Promise<void> {
  const { executed, pending } = await schemaState(db)
  if (pending.length === 0) return
  if (executed.length > 0) {
    const isUnchanged = async () => (await schemaState(db)).executed.length === executed.length
    await snapshotBeforeMigration({ databaseUrl, dataDir, program: PROGRAM_VERSION, log, isUnchanged })
  }
  // A migration of a large table takes longer than a call may.
  const patient = databaseUrl ? openPostgres(databaseUrl, log, 'patient') : db
  try {
    log.info({ applied: await migrate(patient) }, 'database migrated')
  } finally {
    if (patient !== db) await patient.destroy()
  }
}
