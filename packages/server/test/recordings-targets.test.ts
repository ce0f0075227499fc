import { randomUUID } from 'node:crypto'
import type { RecordingDetails } from '@siarin/contracts/recordings'
import { describe, expect, it } from 'vitest'
import { recordPieces } from '../src/modules/broadcasts/store/record-pieces.ts'
import { DATABASES } from './support/databases.ts'
import { CLIP_SECONDS, HOUR_MS, recordingStage } from './support/recordings.ts'

/** When a list goes on is seen at the next poll: by the wall clock each of its items seems to begin earlier or later than it did. */
const SEEN_OFF_MS = [
  [0, 425, -300, 690, -120, 512],
  [0, 600, 350, 20, 600, -90],
]
const ITEMS = 6
const ITEM_MS = 4_000.4

describe.each(DATABASES)('[REC-02] a recorded list to two targets on $name', ({ open }) => {
  const stage = recordingStage(open)

  it('has no interruption and nothing twice where each ffmpeg sent without a break, however the polls fell', async () => {
    const owner = await stage.person()
    const { db, clock } = stage.program
    const at = clock.now() - HOUR_MS
    const id = await stage.broadcast(owner, at - 1_000)
    const first = await db.selectFrom('streams').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const second = { id: randomUUID(), slot: first.slot + 1, target_mark: randomUUID() }
    await db
      .insertInto('streams')
      .values({ ...first, ...second })
      .execute()
    const { video, master } = owner
    const list = JSON.stringify({ seconds: CLIP_SECONDS, startSeconds: 0, outpoint: null, bodySeconds: null })
    for (const [target, streamId] of [id, second.id].entries()) {
      const begun = (SEEN_OFF_MS[target] ?? []).map((offMs, item) => ({
        ...{ at: 0, endOutMs: null },
        piece: {
          ...{ at: Math.round(at + item * ITEM_MS + offMs), session: `of ${streamId}`, reason: null, list },
          ...{ videoId: video.id, filename: video.filename, key: master.key, tailKey: master.tail_key },
          ...{ looping: false, fromMs: 0, outFromMs: item * ITEM_MS },
        },
      }))
      const over = { at: 0, piece: null, endOutMs: ITEMS * ITEM_MS }
      await recordPieces(db, { id: streamId, broadcastId: id, userId: owner.id }, [...begun, over])
    }
    await stage.live(owner, id, at)
    await stage.end(owner, id, at + 30_000)
    const { recordingId } = await stage.ready(owner, id)
    const { recording } = (await owner.ask('GET', `/${recordingId}`)).body as { recording: RecordingDetails }
    expect.soft(recording.interruptions).toBe(0)
    expect.soft(recording.parts.map(({ interruption }) => interruption)).toEqual([null])
    expect.soft(recording.seconds).toBeCloseTo((ITEMS * ITEM_MS) / 1000)
    const text = await (await owner.get(`/${recordingId}/index.m3u8`)).text()
    // One stretch of the list for each of its items: nothing of the other target in between.
    expect(text.match(/#EXT-X-DISCONTINUITY\b/g) ?? []).toHaveLength(ITEMS - 1)
  })
})
