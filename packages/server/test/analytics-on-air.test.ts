import type { BroadcastStory, Series } from '@siarin/contracts/analytics'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, personWithVideo } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

describe('analytics of what is on air', { timeout: 120_000 }, () => {
  let stage: StreamStage
  beforeAll(async () => {
    stage = await openStreamStage(
      {},
      { analytics: { factsMs: 50, rollUpMs: 1_000, clearMs: 600_000, reportsMs: 600_000, countAfterMs: 2_000 } },
    )
  })
  afterAll(() => stage.close())

  it('[STAT-01] [STAT-02] measures what ffmpeg sends, and knows when it was off air and why', async () => {
    const { apiKey } = await personWithVideo(stage.program, stage.clip)
    const { body } = await stage.start(apiKey, 'ukur')
    const id: string = body.streamId
    const get = async (path: string) =>
      (await call(stage.program.url, 'GET', `/fitur/analytics/${path}`, { headers: { 'x-api-key': apiKey } })).body.data
    const measured = async (): Promise<Series | false> => {
      const series: Series | undefined = await get(`series?streamId=${id}`)
      return (series?.bitrateKbps.filter((kbps) => (kbps ?? 0) > 0).length ?? 0) > 0 && (series ?? false)
    }
    const series = await waitFor('a sample with figures', measured, { timeoutMs: 60_000 })
    const last = series.bitrateKbps.findLastIndex((kbps) => kbps !== null)
    const figures = { kbps: series.bitrateKbps[last], fps: series.fps[last], onAir: series.onAirPercent[last] }
    process.stdout.write(`a sample of what is on air: ${JSON.stringify(figures)}\n`)
    expect(figures.onAir).toBe(100)
    // The clip of this test has 25 frames a second; a loaded machine sends fewer, never many more.
    expect(figures.fps).toBeGreaterThan(5)
    expect(figures.fps).toBeLessThan(60)
    expect(figures.kbps).toBeLessThan(50_000)
    for (const { pid } of await stage.ffmpegOf(id)) process.kill(pid, 'SIGKILL')
    const incident = await waitFor('its incident to be over', async () => {
      const story: BroadcastStory = await get(`broadcast/${id}`)
      return story.streams[0]?.incidents.find(({ outcome }) => outcome === 'recovered')
    })
    expect(incident).toMatchObject({ kind: 'interrupted', planned: false, reasonCode: 'killed' })
    await stage.stop(apiKey, id)
    const story = await waitFor('its end', async () => {
      const now: BroadcastStory = await get(`broadcast/${id}`)
      return now.streams[0]?.ended && now
    })
    expect(story.streams[0]).toMatchObject({ ended: 'stopped', incidents: [{}], runs: [{}, {}] })
    expect(story.events.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['asked', 'live', 'lost', 'back', 'ended']),
    )
  })
})
