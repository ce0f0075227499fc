import type { Recording } from '@siarin/contracts/recordings'
import { waitFor } from '@siarin/testkit/wait-for'
import { describe, expect, it } from 'vitest'
import { recordPieces } from '../src/modules/broadcasts/store/record-pieces.ts'
import type { Db } from '../src/platform/db/database.ts'
import { BOTH_DATABASES } from './support/databases.ts'
import { CLIP_SECONDS, HOUR_MS, recordingStage } from './support/recordings.ts'

const ITEM_MS = 4_000

describe.each(BOTH_DATABASES)('[REC-02] a recording under a clock that is set, on $name', ({ open }) => {
  const stage = recordingStage(open)
  type Owner = Awaited<ReturnType<typeof stage.person>>

  /** What a stream says of items of a list, or of one that goes on: `at` as the clock stood. */
  function sender({ video, master, id: userId }: Owner, id: string) {
    const list = JSON.stringify({ seconds: CLIP_SECONDS, startSeconds: 0, outpoint: null, bodySeconds: null })
    const say = async (piece: Parameters<typeof recordPieces>[2][number], inside?: Db): Promise<void> => {
      if (inside) return recordPieces(inside, { id, broadcastId: id, userId }, [piece])
      await stage.program.db.transaction().execute((own) => say(piece, own))
    }
    return {
      async begin(session: string, at: number, item = 0): Promise<void> {
        const reason = item === 0 ? 'target-closed' : null
        const clip = { videoId: video.id, filename: video.filename, key: master.key, tailKey: master.tail_key }
        const from = { looping: false, fromMs: 0, outFromMs: item * ITEM_MS }
        await say({ at: 0, endOutMs: null, piece: { at, session, reason, list, ...clip, ...from } })
      },
      over: (items: number, inside?: Db) => say({ at: 0, piece: null, endOutMs: items * ITEM_MS }, inside),
    }
  }

  const own = (owner: Owner, id: string): Promise<Recording[]> => owner.list(`?broadcastId=${id}`)

  it('has all that was sent where it began while the clock was ahead and went on by the right one', async () => {
    const owner = await stage.person()
    const trueAt = stage.program.clock.now() - HOUR_MS
    const aheadAt = trueAt + HOUR_MS
    const id = await stage.broadcast(owner, aheadAt)
    const list = sender(owner, id)
    await list.begin('ahead', aheadAt)
    await stage.live(owner, id, aheadAt + 2_000)
    await waitFor('it to be made', async () => (await own(owner, id)).length === 1)
    // The clock is set right: a join of the same ffmpeg, and then one after the other of a new one.
    await list.begin('ahead', trueAt + ITEM_MS, 1)
    await list.over(2)
    for (const item of [0, 1, 2]) await list.begin('right', trueAt + 12_000 + item * ITEM_MS, item)
    await list.over(3)
    await stage.end(owner, id, trueAt + 24_000)
    const { recordingId, seconds } = await stage.ready(owner, id)
    expect.soft(seconds).toBe((5 * ITEM_MS) / 1000)
    const text = await (await owner.get(`/${recordingId}/index.m3u8`)).text()
    const played = [...text.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, each]) => sum + Number(each), 0)
    expect(played).toBeCloseTo((5 * ITEM_MS) / 1000, 0)
  })

  it('is not full by a clock that was behind when it began: what is on air says how long it is', async () => {
    const owner = await stage.person()
    const { db, clock } = stage.program
    const behindAt = clock.now() - 20 * HOUR_MS
    const id = await stage.broadcast(owner, behindAt)
    const list = sender(owner, id)
    await list.begin('behind', behindAt)
    await db.updateTable('streams').set({ sent_ms: ITEM_MS }).where('id', '=', id).execute()
    // One that was on air for an hour and is off air since then: its first half day is over.
    const waiting = await stage.broadcast(owner, behindAt + 1)
    await stage.send(owner, waiting, [{ at: behindAt + 1, ms: HOUR_MS }])
    await stage.live(owner, id, behindAt + 2_000)
    await stage.live(owner, waiting, behindAt + 2_001)
    await stage.ready(owner, waiting)
    expect((await own(owner, id)).map(({ state }) => state)).toEqual(['recording'])
    await list.begin('behind', clock.now(), 1)
    await stage.end(owner, id, clock.now(), (inside) => list.over(5, inside))
    await stage.ready(owner, id)
    // By the clock a second one had begun, which goes as soon as it is found to have nothing.
    await waitFor('it to be the only one', async () => (await own(owner, id)).length === 1)
    expect((await own(owner, id)).map(({ state, seconds }) => [state, seconds])).toEqual([
      ['ready', (5 * ITEM_MS) / 1000],
    ])
  })
})
