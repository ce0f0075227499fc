import { randomBytes } from 'node:crypto'
import { Secret } from '@siarin/media/secret'
import type { Config } from '../config.ts'
import { OperationalError } from '../errors.ts'
import { createWorkersRepo } from '../modules/broadcasts/store/workers.repo.ts'
import { anySealedKey } from '../modules/identity/sealed-sample.ts'
import { createBroadcastsRepo } from '../modules/platforms/broadcasts.repo.ts'
import type { Db } from '../platform/db/database.ts'
import { lockFolder } from '../platform/process/folder-lock.ts'
import { readAppSecret } from '../platform/secrets/app-secret.ts'
import { isRightSecret } from '../platform/secrets/right-secret.ts'
import {
  type FollowMarks,
  resealDatabase,
  rotateSecretFile,
  settleSecretFile,
} from '../platform/secrets/rotate-secret.ts'
import { createSealer } from '../platform/secrets/seal.ts'
import { type FolderCommand, Refusal } from './command.ts'
import { withDatabase } from './with-database.ts'

/** A worker says that it lives more often than this. */
const WORKER_ALIVE_MS = 20_000
const SECRET_MIN = 16

export const secretRotate: FolderCommand = {
  name: 'secret rotate',
  args: [],
  summary: 'seal every stored key anew under another APP_SECRET, while the server is stopped',
  details: [
    'Where the secret lies in DATA_DIR/secret, a new one is made there. Where APP_SECRET is set, give the new one as NEW_APP_SECRET,',
    'and put it into APP_SECRET afterwards. Stop every server of this database first. A crash in between loses nothing: call it again.',
  ],
  options: {},
  examples: ['secret rotate'],
  prepareOnFolder: () => async (config, env) => {
    const lock = await lockFolder(config.dataDir)
    try {
      const sealed = await withDatabase(config, (db) => rotate(db, config, env['NEW_APP_SECRET'] ?? ''))
      const note = config.appSecret ? { note: 'set APP_SECRET to the new one before you start the server' } : {}
      return { json: { sealed }, text: `${sealed} stored keys are sealed under the new secret.`, ...note }
    } finally {
      await lock.release()
    }
  },
}

async function rotate(db: Db, { appSecret, dataDir }: Config, newSecret: string): Promise<number> {
  const now = Date.now()
  await assertNoWorker(db, now)
  await settleSecretFile(db, dataDir, anySealedKey)
  const before = await readAppSecret(appSecret, dataDir)
  if (!appSecret && newSecret)
    throw new Refusal('NEW_APP_SECRET is for servers whose secret is in APP_SECRET: leave it out')
  if (appSecret && newSecret.length < SECRET_MIN) {
    throw new Refusal(`APP_SECRET is set: give the new one as NEW_APP_SECRET, with at least ${SECRET_MIN} characters`)
  }
  const after = new Secret(newSecret || randomBytes(32).toString('base64url'))
  if (!before || !(await isRightSecret(db, createSealer(before), anySealedKey))) {
    const isDone = await isRightSecret(db, createSealer(after), anySealedKey)
    throw new Refusal(isDone ? 'this has been done already: set APP_SECRET to the new one' : WRONG_SECRET)
  }
  try {
    const followMarks: FollowMarks = (inside, marks) => createBroadcastsRepo(inside).followMarks(marks, now)
    if (!appSecret) {
      return await rotateSecretFile(db, dataDir, { before, after }, { sampleOf: anySealedKey, followMarks })
    }
    return await resealDatabase(db, createSealer(before), createSealer(after), followMarks)
  } catch (error) {
    throw error instanceof OperationalError ? new Refusal(`${error.message}. Nothing has been changed`) : error
  }
}

const WRONG_SECRET =
  'APP_SECRET is not the one with which this database was filled: call it with the settings of the server'

async function assertNoWorker(db: Db, now: number): Promise<void> {
  const alive = await createWorkersRepo(db).seenSince(now - WORKER_ALIVE_MS)
  if (alive !== null) throw new Refusal(`the server on ${alive} is running. Stop every server of this database first`)
}
