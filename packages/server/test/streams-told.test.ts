import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, personWithVideo, signIn } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

let stage: StreamStage

beforeAll(async () => {
  stage = await openStreamStage()
})

afterAll(() => stage.close())

describe('what is told of a broadcast', () => {
  it('are its figures while it runs, a timeline of what happened, and its time on air when it has ended', async () => {
    const { apiKey } = await personWithVideo(stage.program.url, stage.clip)
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
    await waitFor('it to be lost', async () => (await stage.active(apiKey))[0]?.restarts === 1)
    await stage.rtmp.waitForPublisher('told-key', { growing: true })
    const back = await waitFor('a second on air again', async () => {
      const [now] = await stage.active(apiKey)
      return now?.state === 'live' && now.uptime > 1 && now
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

  it('is why it failed, after it was given up', async () => {
    const { apiKey } = await personWithVideo(stage.program.url, stage.clip)
    await stage.start(apiKey, 'x', { rtmpStream: `${stage.rtmp.refusingUrl}/wrong-key` })
    const [failed] = await waitFor(
      'it to be given up',
      async () => {
        const streams = await stage.history(apiKey)
        return streams.length > 0 && streams
      },
      { timeoutMs: 40_000 },
    )
    expect(failed).toMatchObject({ ended: 'failed', onAirSeconds: 0, reason: expect.stringMatching(/\S+ \S+/) })
  })

  it('is pushed as it happens, to its owner only', async () => {
    const { apiKey } = await personWithVideo(stage.program.url, stage.clip)
    const end = new AbortController()
    const response = await fetch(`${stage.program.url}/fitur/steam/live?apiKey=${apiKey}`, { signal: end.signal })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    let seen = ''
    const reading = (async () => {
      for await (const part of response.body ?? []) seen += Buffer.from(part).toString()
    })().catch(() => {})
    await waitFor('the first push', async () => seen.includes('data: []'))
    const { body } = await stage.start(apiKey, 'push-key')
    await waitFor('live to be pushed', async () => seen.includes(body.streamId) && seen.includes('"state":"live"'))
    await stage.stop(apiKey, body.streamId)
    await waitFor('the end to be pushed', async () => seen.trim().endsWith('data: []'))
    end.abort()
    await reading
  })
})
