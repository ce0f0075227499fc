import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { openSlowLine } from '@siarin/testkit/slow-line'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLongForm, openFaultTable } from './support/fault-table.ts'
import { type FiveBroadcasts, putFiveOnAir } from './support/five-broadcasts.ts'

const DOWN_MS = isLongForm ? 120_000 : 8_000
/** Twice what is wanted: a machine may be slow, but a silence that is never heard must fail. */
const SILENCE_NOTICED_WITHIN = { timeoutMs: 40_000 }

const table = openFaultTable('What the ingest does: time off air as it saw it itself, 5 streams')
let siarin: Siarin
let five: FiveBroadcasts

beforeAll(async () => {
  siarin = await startSiarin()
  five = await putFiveOnAir(siarin)
})

afterAll(async () => {
  await siarin?.dispose()
  await five?.end()
  table.print()
})

/** How often each broadcast was lost, and why it was the last time. */
const losses = async () => {
  const found = new Map<string, { times: number; reason: string | null }>()
  for (const { streamId } of await five.active()) {
    const lost = (await five.events(streamId)).filter(({ kind }) => kind === 'lost')
    found.set(streamId, { times: lost.length, reason: lost[0]?.reason ?? null })
  }
  return found
}

describe('broadcasts come back', { timeout: 400_000 }, () => {
  it('when the ingest drops them', async () => {
    five.offAir.longestMs()
    const before = await five.restarts()
    for (const name of five.names) await five.rtmp.dropPublisher(name)
    await waitFor('all to be tried again', async () => (await five.restarts()) >= before + five.names.length)
    await five.allOnAir()
    table.add('all dropped by the ingest', five.offAir.longestMs(), 3)
  })

  it('when the ingest is down for a while', async () => {
    await five.rtmp.stop()
    await waitFor('all to wait', async () => (await five.active()).every(({ state }) => state !== 'live'), {
      timeoutMs: 60_000,
    })
    await sleep(DOWN_MS)
    await five.rtmp.start()
    const returnedAt = performance.now()
    await five.allOnAir()
    table.add(`ingest down for ${DOWN_MS / 1000} s: after its return`, performance.now() - returnedAt, 6)
  })

  it('when the ingest takes the line but nothing more: noticed, told in words, and over when it answers again', async () => {
    await five.allLive()
    const before = await losses()
    five.rtmp.pause()
    const silentAt = performance.now()
    const noticed = await waitFor(
      'the silence to be noticed of all',
      async () => {
        const now = await losses()
        return [...now].every(([streamId, { times }]) => times > (before.get(streamId)?.times ?? 0)) && now
      },
      SILENCE_NOTICED_WITHIN,
    )
    table.add('silent ingest: until it is noticed', performance.now() - silentAt, 20)
    expect((await five.active()).map(({ state }) => state)).not.toContain('live')
    for (const { reason } of noticed.values()) expect(reason).toMatch(/tersendat|merespons|dihubungi/)
    // Tries that meet with the silence too.
    await sleep(isLongForm ? 30_000 : 3_000)

    five.rtmp.resume()
    const backAt = performance.now()
    await five.allOnAir()
    table.add('silent ingest: after its return', performance.now() - backAt, 6)
    await five.allLive()
  })

  it.runIf(isLongForm)(
    'when their line is too slow for the video: a new session, told in words, until the line is better',
    async () => {
      const line = await openSlowLine(five.rtmp.port, 45_000)
      const { body } = await five.start('slow', { rtmpStream: `rtmp://127.0.0.1:${line.port}/live/slow` })
      const slowSince = performance.now()
      const lost = await waitFor(
        'the lag to be noticed',
        async () => (await five.events(body.streamId)).find(({ kind }) => kind === 'lost'),
        { timeoutMs: 240_000 },
      )
      table.add('a line at half of what the video needs: until it is noticed', performance.now() - slowSince, 120)
      expect(lost.reason).toMatch(/^Jalur ke platform lebih lambat/)
      line.mend()
      await waitFor(
        'it to be on air again',
        async () => (await five.active()).some(({ streamId, state }) => streamId === body.streamId && state === 'live'),
        { timeoutMs: 60_000 },
      )
      await five.stop(body.streamId)
      line.close()
    },
  )

  it('but not one whose key is refused from the start: it ends with its reason', async () => {
    const doorman = createServer((_, response) => response.writeHead(403).end()).listen(0, '127.0.0.1')
    await waitFor('the doorman', async () => doorman.listening)
    const strict = await startRtmpServer({
      onPublishUrl: `http://127.0.0.1:${(doorman.address() as AddressInfo).port}/`,
    })
    const { body } = await five.start('refused', { rtmpStream: `${strict.url}/refused` })
    const failed = await waitFor(
      'it to be given up',
      async () => (await five.history()).find(({ streamId }) => streamId === body.streamId),
      { timeoutMs: 60_000 },
    )
    expect(failed).toMatchObject({ ended: 'failed', restarts: 4, reason: expect.stringMatching(/key/i) })
    await strict.stop()
    doorman.close()
  })
})
