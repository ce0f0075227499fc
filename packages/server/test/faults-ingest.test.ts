import { setTimeout as sleep } from 'node:timers/promises'
import type { ActiveStream } from '@siarin/contracts/streams'
import { openSlowLine } from '@siarin/testkit/slow-line'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLongForm, openFaultTable } from './support/fault-table.ts'
import { type FiveBroadcasts, putFiveOnAir } from './support/five-broadcasts.ts'
import { startProgram, type TestProgram } from './support/program.ts'

const DOWN_MS = isLongForm ? 120_000 : 0
const SILENT_MS = isLongForm ? 30_000 : 0
const SILENCE_NOTICED_SECONDS = 20
const PATIENT = { timeoutMs: 5_000 * SILENCE_NOTICED_SECONDS }

const table = openFaultTable('What the ingest does: time off air as it saw it itself, 5 streams')
let program: TestProgram
let five: FiveBroadcasts

beforeAll(async () => {
  program = await startProgram()
  five = await putFiveOnAir(program)
}, 600_000)

afterAll(async () => {
  await program?.close()
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

const allAre = (what: string, holds: (stream: ActiveStream) => boolean) =>
  waitFor(`all to be ${what}`, async () => (await five.active()).every(holds), PATIENT)

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
    const before = new Map((await five.active()).map(({ streamId, restarts }) => [streamId, restarts]))
    await five.rtmp.stop()
    const downAt = performance.now()
    // From the third try on the waits are as long as they get while an outage is young.
    await allAre('tried twice in vain', ({ streamId, state, restarts }) => {
      return state === 'waiting' && restarts >= (before.get(streamId) ?? 0) + 2
    })
    await sleep(DOWN_MS)
    const downSeconds = Math.round((performance.now() - downAt) / 1000)
    await five.rtmp.start()
    const returnedAt = performance.now()
    await five.allOnAir()
    table.add(`ingest down for ${downSeconds} s: after its return`, performance.now() - returnedAt, 6)
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
      PATIENT,
    )
    table.add('silent ingest: until it is noticed', performance.now() - silentAt, SILENCE_NOTICED_SECONDS)
    expect((await five.active()).map(({ state }) => state)).not.toContain('live')
    for (const { reason } of noticed.values()) expect(reason).toMatch(/tersendat|merespons|dihubungi/)
    await allAre('tried again, and met with silence', ({ state }) => state === 'starting')
    await sleep(SILENT_MS)

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
        { timeoutMs: 120_000 },
      )
      await five.stop(body.streamId)
      line.close()
    },
  )
})
