import { createHash, randomUUID } from 'node:crypto'
import { copyFile, cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { folderOf, type VideoRow } from '../../src/modules/library/library.repo.ts'
import type { Db } from '../../src/platform/db/database.ts'

interface Owner {
  readonly email: string
}
interface At {
  readonly db: Db
  readonly dataDir: string
  readonly clock: { now(): number }
}

/**
 * Gives somebody this clip as a video that can go on air. Of each clip the first in a run is uploaded and prepared, by `prepare`, which
 * answers its name; the others are copies of it.
 */
export async function addReadyVideo(at: At, owner: Owner, clip: string, prepare: () => Promise<string>): Promise<void> {
  const mark = createHash('sha256')
    .update(await readFile(clip))
    .digest('hex')
  const kept = join(inject('preparedVideos'), mark)
  const known = await readFile(join(kept, 'row.json'), 'utf8').catch(() => null)
  if (known === null) await keep(at, await rowOf(at, owner, await prepare()), kept)
  else await copyTo(at, owner, JSON.parse(known), kept)
}

const rowOf = ({ db }: At, { email }: Owner, filename: string): Promise<VideoRow> =>
  db
    .selectFrom('videos')
    .innerJoin('users', 'users.id', 'videos.user_id')
    .selectAll('videos')
    .where('users.email', '=', email)
    .where('filename', '=', filename)
    .executeTakeFirstOrThrow()

/** Not what was made smaller, or mended: that depends on the settings of its program. */
async function keep({ dataDir }: At, row: VideoRow, kept: string): Promise<void> {
  if (row.status !== 'ready' || row.master_key !== row.original_key) return
  const unfinished = `${kept}-${randomUUID()}`
  await cp(join(dataDir, 'media', folderOf(row)), join(unfinished, folderOf(row)), { recursive: true })
  await writeFile(join(unfinished, 'row.json'), JSON.stringify(row))
  // Another worker may have kept the same one meanwhile.
  await rename(unfinished, kept).catch(() => {})
}

async function copyTo({ db, dataDir, clock }: At, { email }: Owner, row: VideoRow, kept: string): Promise<void> {
  const { id: userId } = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const own = { id: randomUUID(), user_id: userId }
  const moved = async (key: string | null): Promise<string | null> => {
    if (key === null) return null
    const ownKey = key.replace(folderOf(row), folderOf(own))
    const file = join(dataDir, 'media', ownKey)
    await mkdir(dirname(file), { recursive: true })
    await copyFile(join(kept, key), file)
    return ownKey
  }
  const original = await moved(row.original_key)
  const keys = { original_key: original, master_key: original, thumbnail_key: await moved(row.thumbnail_key) }
  await db
    .insertInto('videos')
    .values({ ...row, ...own, ...keys, created_at: clock.now() })
    .execute()
}
