import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { timelineOf } from '../src/modules/broadcasts/store/stream-lives.ts'
import type { Db } from '../src/platform/db/database.ts'
import { addStream } from './support/analytics.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'
import { measure } from './support/rows-read.ts'

const STREAMS = 30
const EVENTS = 100
const LIMIT = 50

describe.each(REPO_DATABASES)('the time line of a broadcast, on $name', ({ open }) => {
  let db: Db
  let close: () => Promise<void>
  const streams: string[] = []
  const timeOf = (stream: number, event: number): number => event * 1_000 + stream

  beforeAll(async () => {
    ;({ db, close } = await open())
    const userId = await addUser(db)
    for (let stream = 0; stream < STREAMS; stream++) {
      const stream_id = await addStream(db, userId)
      streams.push(stream_id)
      const events = Array.from({ length: EVENTS }, (_, event) => timeOf(stream, event))
      await db
        .insertInto('stream_events')
        .values(events.map((at) => ({ id: randomUUID(), stream_id, at, kind: 'live' })))
        .execute()
    }
  })
  afterAll(() => close())

  it('[SAFE-07] is the newest of all streams, and hardly more is read', async () => {
    const all = streams.flatMap((_, stream) => Array.from({ length: EVENTS }, (_, event) => timeOf(stream, event)))
    const newest = all.sort((one, other) => one - other).slice(-LIMIT)
    const { result, rows } = await measure(() => timelineOf(db, streams, LIMIT))
    expect(result.map(({ at }) => at)).toEqual(newest)
    expect(rows).toBeLessThan(STREAMS * 10)
    expect(await timelineOf(db, [], LIMIT)).toEqual([])
  })
})
