import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Config } from '../config.ts'
import { runningBroadcasts } from '../modules/broadcasts/sender/broadcast-process.ts'
import { anySealedKey } from '../modules/identity/sealed-sample.ts'
import { BackupError } from '../platform/backup/backup-error.ts'
import { isMoved, MOVED, moveToPostgres } from '../platform/backup/move-database.ts'
import { runDirsOf } from '../platform/data-dir.ts'
import { COMMAND_MANNERS, openPostgres, openSqlite, unusableDatabase } from '../platform/db/database.ts'
import { lockFolder } from '../platform/process/folder-lock.ts'
import { readAppSecret } from '../platform/secrets/app-secret.ts'
import { isRightSecret } from '../platform/secrets/right-secret.ts'
import { createSealer } from '../platform/secrets/seal.ts'
import { type FolderCommand, Refusal } from './command.ts'

/** The first step from one machine to several. */
export const databaseMove: FolderCommand = {
  name: 'database move',
  args: [],
  summary:
    'move the SQLite database of DATA_DIR into the empty PostgreSQL of DATABASE_URL, while the server is stopped',
  details: [
    'All rows go, or none. Broadcasts that were on air go on with the next start. The file stays in DATA_DIR under another name',
    `(${MOVED}), so that a server which is started there by mistake says so and ends. Videos stay where they are: see storage copy.`,
  ],
  options: {},
  examples: ['database move'],
  prepareOnFolder: () => async (config) => {
    const { databaseUrl, dataDir, appSecret } = config
    if (!databaseUrl) throw new Refusal('set DATABASE_URL to an empty PostgreSQL database: that is where the rows go')
    if (!existsSync(join(dataDir, 'siarin.db'))) {
      const why = isMoved(dataDir)
        ? `it was moved before, and is kept as ${MOVED}`
        : "set DATA_DIR to the server's folder"
      throw new Refusal(`there is no SQLite database in ${dataDir}: ${why}`)
    }
    const lock = await lockFolder(dataDir)
    try {
      await assertNothingOnAir(dataDir)
      await assertRightSecret(config)
      const to = openPostgres(databaseUrl, pino({ level: 'silent' }), 'patient')
      const moved = await moveToPostgres(dataDir, to)
        .catch((error) => {
          if (error instanceof BackupError) throw new Refusal(error.message)
          throw unusableDatabase(databaseUrl, dataDir, error)
        })
        .finally(() => to.destroy())
      const rows = [...moved.values()].reduce((sum, count) => sum + count, 0)
      const secret = `set APP_SECRET of every machine to the content of ${join(dataDir, 'secret')}, or none of them can read the stored keys`
      return {
        json: { rows, tables: Object.fromEntries(moved), kept: join(dataDir, MOVED) },
        text: `${rows} rows are in the database of DATABASE_URL. The old one is kept as ${join(dataDir, MOVED)}.`,
        ...(appSecret ? {} : { note: secret }),
      }
    } finally {
      await lock.release()
    }
  },
}

/** Another machine would start them a second time. Root, who may call this, has not made the server's own folder: both are looked at. */
async function assertNothingOnAir(dataDir: string): Promise<void> {
  const folders = Object.values(runDirsOf(dataDir))
  const running = (await Promise.all(folders.map(runningBroadcasts))).flat()
  if (running.length === 0) return
  throw new Refusal(
    `${running.length} broadcasts are still on air (process ${running[0]?.pid}). Stop the server with KEEP_STREAMS_ON_EXIT=false first`,
  )
}

async function assertRightSecret({ appSecret, dataDir }: Config): Promise<void> {
  const secret = await readAppSecret(appSecret, dataDir)
  const db = openSqlite(join(dataDir, 'siarin.db'), COMMAND_MANNERS)
  try {
    if (secret && (await isRightSecret(db, createSealer(secret), anySealedKey))) return
  } finally {
    await db.destroy()
  }
  throw new Refusal(`APP_SECRET is not the one of this server: set it to the content of ${join(dataDir, 'secret')}`)
}
