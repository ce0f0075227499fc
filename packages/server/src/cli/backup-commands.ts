import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { StreamReason } from '@siarin/media/parse/exit-reason'
import type { Secret } from '@siarin/media/secret'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { anySealedKey } from '../modules/identity/sealed-sample.ts'
import { BackupError } from '../platform/backup/backup-error.ts'
import { keysOf } from '../platform/backup/file-keys.ts'
import type { Manifest } from '../platform/backup/manifest.ts'
import { assertNotMoved } from '../platform/backup/move-database.ts'
import { restoreBackup } from '../platform/backup/restore-backup.ts'
import { takeBackup } from '../platform/backup/take-backup.ts'
import { type Db, knowsMigration, schemaState } from '../platform/db/database.ts'
import { readAppSecret } from '../platform/secrets/app-secret.ts'
import { isRightSecret } from '../platform/secrets/right-secret.ts'
import { settleSecretFile } from '../platform/secrets/rotate-secret.ts'
import { createSealer } from '../platform/secrets/seal.ts'
import { PROGRAM_VERSION } from '../platform/version.ts'
import { argOf, type FolderCommand, Refusal } from './command.ts'
import { plainBytes } from './tables.ts'
import { withDatabase } from './with-database.ts'

const RESTORED: StreamReason = 'restored'

/** Each video has a folder of its own: original, master and picture. */
const countVideos = (files: Manifest['files']): string => {
  const count = new Set(files.map(({ path }) => dirname(path))).size
  return count === 1 ? '1 video' : `${count} videos`
}

const aboutBackup = ({ files, ...manifest }: Manifest) => ({
  ...manifest,
  files: files.length,
  videoBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
})

/** One line instead of a stack for whatever the operator can mend. */
async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof BackupError) throw new Refusal(error.message)
    const { code, message } = error as NodeJS.ErrnoException
    if (code?.startsWith('E')) throw new Refusal(message)
    throw error
  }
}

export const backup: FolderCommand = {
  name: 'backup',
  args: ['to'],
  summary: 'copy database, secret and videos into a new folder, while the server runs',
  details: [
    'The folder gets its name once it is whole: what a crash leaves is called <to>.incomplete. Videos are hard links where <to>',
    'is on the same file system, and else copies. Videos in an S3 store stay there. Keep it secret: it has what opens every stored',
    'stream key.',
  ],
  options: { 'without-videos': { help: 'only list the video files, for whoever copies DATA_DIR/media otherwise' } },
  examples: ['backup /backups/siarin-2026-12-31', 'backup /backups/siarin-2026-12-31 --without-videos'],
  prepareOnFolder: (args) => async (config) => {
    const { databaseUrl, dataDir } = config
    const to = resolve(argOf(args, 0))
    assertNotMoved(config)
    if (!databaseUrl && !existsSync(join(dataDir, 'siarin.db'))) {
      throw new Refusal(`there is no database in ${dataDir}. Set DATA_DIR to the server's folder`)
    }
    const { schema } = await withDatabase(config, (db) => describe(db, config))
    const { manifest, missing } = await refusing(
      takeBackup({
        to,
        dataDir,
        databaseUrl,
        secret: async () => (await withDatabase(config, (db) => describe(db, config))).secret,
        namedFiles: () => withDatabase(config, keysOf),
        withVideos: args.options['without-videos'] !== true,
        bucket: config.s3?.bucket,
        program: PROGRAM_VERSION,
        schema,
      }),
    )
    const about = aboutBackup(manifest)
    const videos = `${countVideos(manifest.files)} (${plainBytes(about.videoBytes)})`
    const withVideos =
      about.videos === 'included' ? `the database and ${videos}` : `the database, and a list of ${videos}`
    const what = manifest.bucket === undefined ? withVideos : 'the database, without videos'
    const safe = 'whoever has this folder can read every stored stream key: keep it as safe as the server'
    const stored = `the videos stay in the bucket ${manifest.bucket} and are not in this backup: copy that with the tools of your store`
    const lost = `${missing.length} video files that the database names are not in ${join(dataDir, 'media')}, such as ${missing[0]}: this backup cannot have them`
    return {
      json: { backup: to, ...about, missing: missing.length },
      text: `Backup in ${to}: ${what}.`,
      note: [...(manifest.bucket === undefined ? [] : [stored]), ...(missing.length > 0 ? [lost] : []), safe].join(
        '\nsiarin: ',
      ),
    }
  },
}

/** A backup with a secret that does not open it would be found out when it is needed. */
async function describe(db: Db, { appSecret, dataDir }: Config): Promise<{ schema: string; secret: Secret }> {
  const schema = (await schemaState(db)).executed.at(-1)
  if (!schema) throw new Refusal('the database is empty. Start the server first')
  await settleSecretFile(db, dataDir, anySealedKey)
  const secret = await readAppSecret(appSecret, dataDir)
  if (secret && (await isRightSecret(db, createSealer(secret), anySealedKey))) return { schema, secret }
  throw new Refusal(
    'APP_SECRET is not the one with which this database was filled: call it with the settings of the server',
  )
}

export const restore: FolderCommand = {
  name: 'restore',
  args: ['from'],
  summary: 'fill an empty DATA_DIR, and an empty database of DATABASE_URL, from a backup',
  details: [
    'Nothing is written over. Broadcasts that were on air are not begun: their owners find them in the history as restored, and',
    'begin them with one press, so that a copy never sends beside its original.',
  ],
  options: {},
  examples: ['restore /backups/siarin-2026-12-31'],
  prepareOnFolder: (args) => async (config) => {
    const { databaseUrl, dataDir, appSecret } = config
    const { manifest, missing } = await refusing(
      restoreBackup({
        from: argOf(args, 0),
        dataDir,
        databaseUrl,
        appSecret,
        knowsSchema: knowsMigration,
        hasTables: () => withDatabase(config, hasTables),
        restoreSeal: () => withDatabase(config, restoreSeal),
        pausedFor: RESTORED,
      }),
    )
    const stored = `its videos are in the bucket ${manifest.bucket} and not in the backup: set the S3 settings of that store before you start the server`
    const absent = `${missing.length} of its ${manifest.files.length} video files are not in ${join(dataDir, 'media')} yet: copy them there`
    return {
      json: { restored: dataDir, ...aboutBackup(manifest), missing: missing.length },
      text: `Restored into ${dataDir} as of ${manifest.takenAt}. No broadcast is on air: start the server, and their owners begin them again.`,
      ...(missing.length > 0 && { note: absent }),
      ...(manifest.bucket !== undefined && { note: stored }),
    }
  },
}

async function hasTables(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from information_schema.tables where table_schema = current_schema()`.execute(db)
  return rows.length > 0
}

async function restoreSeal(db: Db): Promise<string | null> {
  const { rows } = await sql<{ seal: string | null }>`
    select obj_description(to_regclass('kysely_migration')) as seal`.execute(db)
  return rows[0]?.seal ?? null
}
