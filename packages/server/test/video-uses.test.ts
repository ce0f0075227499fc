import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { videoUses } from '../src/modules/library/video-uses.repo.ts'
import type { Db } from '../src/platform/db/database.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'
import { measure, measuredText } from './support/rows-read.ts'

const BATCH = 500
const USES = 6_000

describe.each(REPO_DATABASES)('who uses a video, on $name', ({ open }) => {
  let db: Db
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ db, close } = await open())
  })
  afterAll(() => close())

  async function addUses(kind: string, userId: string): Promise<void> {
    const id = randomUUID()
    const facts = { status: 'ready', original_bytes: 1, content_type: 'video/mp4', created_at: 100 }
    const names = { id, user_id: userId, filename: id, original_key: id }
    await db
      .insertInto('videos')
      .values({ ...names, ...facts })
      .execute()
    await sql`
      insert into video_uses (video_id, used_by, user_id)
      with recursive places(place) as (
        select 0 union all select place + 1 from places where place + 1 < ${sql.lit(USES)})
      select cast(${id} as text), ${kind} || place, cast(${userId} as text) from places`.execute(db)
  }
  const countOf = async (userId: string) =>
    (await db.selectFrom('video_uses').select('video_id').where('user_id', '=', userId).execute()).length

  it.each([
    ['playlist:', 'forgetLists'],
    ['recording:', 'forgetRecordings'],
  ] as const)('[SAFE-07] %s… of one user go in small batches, and nothing else goes', async (kind, forget) => {
    const [userId, other] = [await addUser(db), await addUser(db)]
    await addUses(kind, userId)
    await addUses(kind, other)
    await addUses('', userId)
    const measured = await measure(() => videoUses(db)[forget](userId))
    process.stdout.write(`${measured.mostChanged} changed at once; ${measuredText(`${USES} uses`, measured)}`)
    expect([await countOf(userId), await countOf(other)]).toEqual([USES, USES])
    expect(measured.mostChanged).toBeLessThanOrEqual(BATCH)
  })
})
