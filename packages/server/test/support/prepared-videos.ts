import { createHash, randomUUID } from 'node:crypto'
import { copyFile, cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import type { RenditionRow } from '../../src/modules/library/renditions.repo.ts'
import { folderOf, type VideoColumns } from '../../src/modules/library/video-row.ts'
import { type Db, openSqlite } from '../../src/platform/db/database.ts'

interface Prepared {
  readonly video: VideoColumns
  readonly master: RenditionRow
}

interface Owner {
  readonly email: string
}
interface At {
  readonly db: Db
  readonly dataDir: string
  readonly clock: { now(): number }
}

/**
 * Gives somebody this clip as a video that can go on air. Only the first of each clip in a run is uploaded and prepared, by `prepare`,
 * which answers its name; the others are copies of it.
 */
export async function addReadyVideo(at: At, owner: Owner, clip: string, prepare: () => Promise<string>): Promise<void> {
  const mark = createHash('sha256')
    .update(await readFile(clip))
    .digest('hex')
  const kept = join(inject('preparedVideos'), mark)
  const known = await readFile(join(kept, 'row.json'), 'utf8').catch(() => null)
  if (known === null) await keep(at, await rowsOf(at, owner, await prepare()), kept)
  else await copyTo(at, owner, JSON.parse(known), kept)
}

/** The same for a program that runs apart, on SQLite: it sees what others write there, as it does of the operator's command. */
export async function addReadyVideoBeside(
  { dataDir }: Pick<At, 'dataDir'>,
  ...[owner, clip, prepare]: [Owner, string, () => Promise<string>]
): Promise<void> {
  const db = openSqlite(join(dataDir, 'siarin.db'))
  try {
    await addReadyVideo({ db, dataDir, clock: Date }, owner, clip, prepare)
  } finally {
    await db.destroy()
  }
}

/** Gives somebody a copy of somebody else's video of the same program, as it was prepared. */
export async function copyVideo(at: At, from: Owner, to: Owner, filename: string): Promise<void> {
  const { video, master } = await rowsOf(at, from, filename)
  if (!video || !master) throw new Error(`${filename} is not ready`)
  await copyTo(at, to, { video, master }, join(at.dataDir, 'media'))
}

async function rowsOf({ db }: At, { email }: Owner, filename: string): Promise<Partial<Prepared>> {
  const video = await db
    .selectFrom('videos')
    .innerJoin('users', 'users.id', 'videos.user_id')
    .selectAll('videos')
    .where('users.email', '=', email)
    .where('filename', '=', filename)
    .executeTakeFirstOrThrow()
  const master = await db
    .selectFrom('renditions')
    .selectAll()
    .where('video_id', '=', video.id)
    .where('state', '=', 'ready')
    .executeTakeFirst()
  return { video, ...(master && { master }) }
}

/** Not what was made smaller, or mended: that depends on the settings of its program. */
async function keep({ dataDir }: At, { video, master }: Partial<Prepared>, kept: string): Promise<void> {
  if (video?.status !== 'ready' || master?.key !== video.original_key) return
  const unfinished = `${kept}-${randomUUID()}`
  await cp(join(dataDir, 'media', folderOf(video)), join(unfinished, folderOf(video)), { recursive: true })
  await writeFile(join(unfinished, 'row.json'), JSON.stringify({ video, master }))
  // Another worker may have kept the same one meanwhile.
  await rename(unfinished, kept).catch(() => {})
}

async function copyTo({ db, dataDir, clock }: At, { email }: Owner, rows: Prepared, kept: string): Promise<void> {
  const { video, master } = rows
  const { id: userId } = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const own = { id: randomUUID(), user_id: userId }
  const moved = async (key: string | null): Promise<string | null> => {
    if (key === null) return null
    const ownKey = key.replace(folderOf(video), folderOf(own))
    const file = join(dataDir, 'media', ownKey)
    await mkdir(dirname(file), { recursive: true })
    await copyFile(join(kept, key), file)
    return ownKey
  }
  const original = await moved(video.original_key)
  const key = master.key === video.original_key ? original : await moved(master.key)
  const thumbnail_key = await moved(master.thumbnail_key)
  const created_at = clock.now()
  // As the version before would read it, and as the next start does (follow-older-version).
  const older = { master_key: key, master_bytes: master.bytes, thumbnail_key }
  await db
    .insertInto('videos')
    .values({ ...video, ...own, ...older, original_key: original, created_at })
    .execute()
  const keys = { key: key ?? '', thumbnail_key }
  await db
    .insertInto('renditions')
    .values({ ...master, id: randomUUID(), video_id: own.id, ...keys, created_at })
    .execute()
}
