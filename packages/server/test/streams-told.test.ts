import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { call, personWithVideo, signIn } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

let stage: StreamStage
let apiKey: string

beforeAll(async () => {
  stage = await openStreamStage()
  apiKey = (await personWithVideo(stage.program, stage.clip)).apiKey
})

afterEach(() => stage.stopAll(apiKey))
afterAll(() => stage.close())

describe('what is told of a broadcast', () => {
  it('are its figures while it runs, a timeline of what happened, and its time on air when it has ended', async () => {
    const { body } = await stage.start(apiKey, 'told-key')
    const stream = await waitFor('its figures', async () =>
      (await stage.active(apiKey)).find((each) => each.bitrate && each.speed),
    )
    expect(stream).toMatchObject({ state: 'live', reason: null, nextTryAt: null, frames: expect.any(Number) })
    expect(stream.bitrate).toBeGreaterThan(50)
    expect(stream.speed).toBeGreaterThan(0.5)
    expect(Date.parse(stream.since ?? '')).toBeGreaterThan(Date.parse(stream.startedAt) - 1)
    expect(stream).toMatchObject({ firstLiveAt: stream.since, reconnects: 0 })

    await stage.rtmp.dropPublisher('told-key')
    const back = await waitFor('a second on air again', async () => {
      const [now] = await stage.active(apiKey)
      return now?.state === 'live' && now.reconnects > 0 && now.uptime > 1 && now
    })
    expect(back).toMatchObject({ firstLiveAt: stream.firstLiveAt, reconnects: 1 })
    expect(Date.parse(back.since ?? '')).toBeGreaterThan(Date.parse(stream.since ?? ''))
    await stage.stop(apiKey, body.streamId)

    const events = await stage.events(apiKey, body.streamId)
    expect(events.map(({ kind }) => kind)).toEqual(['ended', 'stop-asked', 'back', 'lost', 'live', 'asked'])
    expect(events[3]?.reason).toMatch(/\S+ \S+/)
    expect(events[2]?.offAirSeconds).toBeGreaterThan(0)

    const streams = await stage.history(apiKey)
    expect(streams).toMatchObject([{ streamId: body.streamId, ended: 'stopped', restarts: 1, reason: null }])
    expect(streams[0]?.onAirSeconds).toBeGreaterThan(0)
    expect(streams[0]?.onAirPercent).toBeGreaterThan(10)
    const stranger = (await signIn(stage.program.url)).user.apiKey
    expect(
      (await call(stage.program.url, 'GET', `/fitur/steam/${body.streamId}/events?apiKey=${stranger}`)).status,
    ).toBe(404)
  })

  it('is pushed as it happens, to its owner only', async () => {
    const stranger = await personWithVideo(stage.program, stage.clip)
    const [own, foreign] = [await openFeed(apiKey), await openFeed(stranger.apiKey)]
    for (const { seen } of [own, foreign]) await waitFor('the first push', async () => seen().includes('data: []'))
    const { streamId } = (await stage.start(apiKey, 'push-key')).body
    const live = (seen: string, id: string) => seen.includes(id) && seen.includes('"state":"live"')
    await waitFor('live to be pushed', async () => live(own.seen(), streamId))
    await stage.stop(apiKey, streamId)
    await waitFor('the end to be pushed', async () => own.seen().trim().endsWith('data: []'))

    // What comes last to the stranger shows that nothing of the owner's came before it.
    const { streamId: foreignId } = (await stage.start(stranger.apiKey, 'foreign-key')).body
    await waitFor('live to be pushed to the stranger', async () => live(foreign.seen(), foreignId))
    await stage.stop(stranger.apiKey, foreignId)
    expect(foreign.seen()).not.toContain(streamId)
    expect(own.seen()).not.toContain(foreignId)
    for (const feed of [own, foreign]) await feed.close()
  })
})

/** What is pushed to the holder of this key. */
async function openFeed(key: string) {
  const end = new AbortController()
  const response = await fetch(`${stage.program.url}/fitur/steam/live?apiKey=${key}`, { signal: end.signal })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  let seen = ''
  const reading = (async () => {
    for await (const part of response.body ?? []) seen += Buffer.from(part).toString()
  })().catch(() => {})
  return {
    seen: () => seen,
    async close(): Promise<void> {
      end.abort()
      await reading
    },
  }
}
