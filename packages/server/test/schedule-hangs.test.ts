import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProgram, type TestProgram } from './support/program.ts'
import { HOUR_MS, MINUTE_MS, minuteAfter, onceAt, scheduler } from './support/schedules.ts'

const OTHERS = 3
const EACH = 12
/** SCHED-02. */
const BOUND_MS = 1_000
const PLAYLIST = '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nsatu.ts\n'

/** An HLS source that is there when its schedule is made. Later it begins its answer, and never ends it. */
async function hangingSource() {
  const hung = new Set<ServerResponse>()
  let isHanging = false
  let givenUp = 0
  const server = createServer((_request, response) => {
    if (!isHanging) return void response.end(PLAYLIST)
    hung.add(
      response.on('close', () => {
        hung.delete(response)
        givenUp++
      }),
    )
    response.write('#EXTM3U\n')
  })
  // Just enough to keep a reader waiting.
  const trickle = setInterval(() => {
    for (const response of hung) response.write('#\n')
  }, 500)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (name: string) => `http://127.0.0.1:${port}/${name}.m3u8`,
    hang: () => {
      isHanging = true
    },
    hungCount: () => hung.size,
    givenUpCount: () => givenUp,
    async close() {
      clearInterval(trickle)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe('[SCHED-02] schedules of three others whose source hangs', { timeout: 180_000 }, () => {
  let program: TestProgram
  let source: Awaited<ReturnType<typeof hangingSource>>
  beforeAll(async () => {
    source = await hangingSource()
    program = await startProgram()
  })
  afterAll(async () => {
    await source?.close()
    await program?.close()
  })

  it('[SCHED-04] are not looked at ahead of a stranger, who hears an hour ahead what is in the way', async () => {
    const slow = await hangingSource()
    try {
      const due = minuteAfter(program.clock.now(), 3 * HOUR_MS)
      const person = await scheduler(program)
      for (let count = 0; count < EACH; count++) {
        const made = await person.create(onceAt(due), {}, { source: slow.urlOf(`${count}`) })
        expect(made.body).toMatchObject({ success: true })
      }
      const stranger = await scheduler(program)
      await stranger.create(onceAt(due + MINUTE_MS))
      await program.db.updateTable('videos').set({ status: 'failed' }).where('id', '=', stranger.videoId).execute()
      slow.hang()
      program.clock.move(due - 59 * MINUTE_MS - program.clock.now())
      const begun = performance.now()
      await waitFor('the warning', async () => (await stranger.upcoming())[0]?.warningCode === 'video-not-ready')
      const lateMs = Math.round(performance.now() - begun)
      process.stdout.write(
        `beside looks that hang a stranger's came after ${lateMs} ms, ${slow.givenUpCount()} of ${EACH} were given up before\n`,
      )
      // Without turns it comes behind all of them.
      expect(slow.givenUpCount()).toBeLessThan(EACH / 2)
    } finally {
      await slow.close()
    }
  })

  it('leave the schedule of a stranger its second', async () => {
    const due = minuteAfter(program.clock.now(), 10 * MINUTE_MS)
    for (let other = 0; other < OTHERS; other++) {
      const person = await scheduler(program)
      for (let count = 0; count < EACH; count++) {
        const made = await person.create(onceAt(due), {}, { source: source.urlOf(`${other}-${count}`) })
        expect(made.body).toMatchObject({ success: true })
      }
    }
    const stranger = await scheduler(program)
    const strangersDue = due + MINUTE_MS
    const { id } = (await stranger.create(onceAt(strangersDue))).body.data
    source.hang()
    program.clock.move(due - program.clock.now())
    await waitFor('the others to hang', async () => source.hungCount() >= 25)
    program.clock.move(strangersDue - program.clock.now())
    const begun = performance.now()
    await waitFor('its start', async () => (await stranger.rowsOf(id))[0]?.broadcast_id, { everyMs: 20 })
    const lateMs = Math.round(performance.now() - begun)
    process.stdout.write(
      `beside ${source.hungCount()} starts that hang a stranger's began ${lateMs} ms late (bound ${BOUND_MS}), ${source.givenUpCount()} were given up before\n`,
    )
    // It has waited for none of them. Where the machine stands still, a second may pass all the same.
    expect(lateMs < BOUND_MS || source.givenUpCount() === 0).toBe(true)
  })
})
