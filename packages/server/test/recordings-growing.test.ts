import { randomUUID } from 'node:crypto'
import { waitFor } from '@siarin/testkit/wait-for'
import { describe, expect, it } from 'vitest'
import { DATABASES } from './support/databases.ts'
import { recordingStage } from './support/recordings.ts'

describe.each(DATABASES)('[REC-02] the list of a recording to two targets that is being made, on $name', ({ open }) => {
  const stage = recordingStage(open)

  it('only grows: no segment that it has named changes or goes, whichever target is ahead, away or back', async () => {
    const owner = await stage.person()
    const { db, clock } = stage.program
    const at = clock.now() - 100_000
    const id = await stage.broadcast(owner, at - 1_000)
    const row = await db.selectFrom('streams').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const second = { id: randomUUID(), slot: row.slot + 1, target_mark: randomUUID() }
    await db
      .insertInto('streams')
      .values({ ...row, ...second })
      .execute()
    await stage.send(owner, id, [
      { at, ms: null },
      { at: at + 3, ms: null, stream_id: second.id },
    ])
    const reached = async (...ms: [first: number, second: number]): Promise<void> => {
      for (const [index, stream] of [id, second.id].entries())
        await db
          .updateTable('streams')
          .set({ sent_ms: ms[index] ?? 0 })
          .where('id', '=', stream)
          .execute()
    }
    await reached(9_000, 9_200)
    await stage.live(owner, id, at)
    const [recording] = await waitFor('the recording', async () => {
      const found = await owner.list(`?broadcastId=${id}`)
      return found.length > 0 && found
    })
    const segments = async (): Promise<string[]> => {
      const text = await (await owner.get(`/${recording?.recordingId}/index.m3u8`)).text()
      return [...text.matchAll(/#EXTINF:.*\n.*/g)].map(([line]) => line)
    }
    let listed = await segments()
    const grows = async (): Promise<void> => {
      const before = listed
      // What is told of it is a few seconds old at most.
      listed = await waitFor('another list', async () => {
        const now = await segments()
        return now.join() !== before.join() && now
      })
      expect.soft(listed.slice(0, before.length)).toEqual(before)
    }
    await reached(31_000, 31_200)
    await grows()
    // The first target is away; nobody has seen yet that it is back.
    const own = db.updateTable('sent_pieces').where('stream_id', '=', id)
    await own.set({ ms: 33_000 }).execute()
    await reached(33_000, 62_000)
    await grows()
    await stage.send(owner, id, [{ at: at + 58_500, ms: null, session: 's2', reason: 'target-closed' }])
    await reached(2_500, 63_000)
    await grows()
    await reached(25_000, 85_000)
    await grows()
  })
})
