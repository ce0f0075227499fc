import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Secret } from '@siarin/media/secret'
import { pino } from 'pino'
import { readConfig } from '../config.ts'
import { anySealedKey } from '../modules/identity/sealed-sample.ts'
import { assertNotMoved } from '../platform/backup/move-database.ts'
import { systemClock } from '../platform/clock.ts'
import { COMMAND_MANNERS, compareSchema, type Db, openDatabase, unusableDatabase } from '../platform/db/database.ts'
import { loadAppSecret } from '../platform/secrets/app-secret.ts'
import { isRightSecret } from '../platform/secrets/right-secret.ts'
import { createSealer, type Sealer } from '../platform/secrets/seal.ts'
import { type CliContext, Refusal } from './command.ts'

/** Opens the server's database as it is: nothing is made, migrated or locked. */
export async function openContext(env: NodeJS.ProcessEnv): Promise<CliContext & { close(): Promise<void> }> {
  const { databaseUrl, dataDir, trialDays, enforcePlans, appSecret, publicUrl, port } = readConfig(env)
  assertNotMoved({ databaseUrl, dataDir })
  if (!databaseUrl && !existsSync(join(dataDir, 'siarin.db'))) {
    throw new Refusal(`there is no database in ${dataDir}. Start the server first, or set DATA_DIR to its folder`)
  }
  let db: Db | undefined
  try {
    db = openDatabase(databaseUrl, dataDir, pino({ level: 'silent' }), COMMAND_MANNERS)
    await assertOurSchema(db)
  } catch (error) {
    await db?.destroy()
    throw error instanceof Refusal ? error : unusableDatabase(databaseUrl, dataDir, error)
  }
  const opened = db
  return {
    db: opened,
    clock: systemClock,
    trialDays,
    enforced: enforcePlans,
    operator: nameOfOperator(),
    publicUrl,
    port,
    openSealer: () => openSealer(opened, appSecret, dataDir),
    close: () => opened.destroy(),
  }
}

/** A key sealed with another secret would be lost: nothing is made here, and the secret is tried on what the server has sealed. */
async function openSealer(db: Db, appSecret: Secret | null, dataDir: string): Promise<Sealer> {
  if (!appSecret && !existsSync(join(dataDir, 'secret'))) {
    throw new Refusal("the server's secret is not here: set APP_SECRET, or DATA_DIR to its folder")
  }
  const sealer = createSealer(await loadAppSecret(appSecret, dataDir))
  if (await isRightSecret(db, sealer, anySealedKey)) return sealer
  throw new Refusal('APP_SECRET is not the one of the server: nothing was changed')
}

async function assertOurSchema(db: Db): Promise<void> {
  const schema = await compareSchema(db)
  if (schema === 'empty') {
    throw new Refusal('the database is empty. Coming from SQLite, run database move first; else start the server')
  }
  if (schema === 'older') {
    throw new Refusal('the database is older than this program. Start the server of this version first: it migrates it')
  }
  if (schema === 'newer') {
    throw new Refusal('the database is newer than this program. Use the command of the version that the server runs')
  }
}

function nameOfOperator(): string {
  try {
    return userInfo().username
  } catch {
    // In a container the number often has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
