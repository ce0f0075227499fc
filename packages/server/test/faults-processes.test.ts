import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { kill9 } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { waitFor } from '@siarin/testkit/wait-for'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLongForm, openFaultTable } from './support/fault-table.ts'
import { type FiveBroadcasts, putFiveOnAir } from './support/five-broadcasts.ts'

const KILLS = isLongForm ? 20 : 2
const LOCKED_MS = isLongForm ? 30_000 : 8_000
const CLIENTS = isLongForm ? 20 : 8
const RANDOM_CALLS = isLongForm ? 200 : 24

const table = openFaultTable('What dies or hangs on this machine: time off air as the ingest saw it, 5 streams')
let siarin: Siarin
let five: FiveBroadcasts

beforeAll(async () => {
  siarin = await startSiarin()
  five = await putFiveOnAir(siarin, { playlist: true })
}, 600_000)

afterAll(async () => {
  await siarin?.dispose()
  await five?.end()
  table.print()
})

/** Where it is is told and written every other second, and a new session begins with the key frame before that. */
const TOLD_WITHIN_MS = 5_000

/** Answers how to look whether the playlist goes on where it was. */
async function rememberPlace(): Promise<() => Promise<void>> {
  const { itemId, round, positionMs } = await five.listed()
  const rememberedAt = performance.now()
  return async () => {
    const now = await five.listed()
    expect(now).toMatchObject({ itemId, round })
    expect(now.positionMs).toBeGreaterThanOrEqual(positionMs - TOLD_WITHIN_MS)
    expect(now.positionMs).toBeLessThanOrEqual(positionMs + (performance.now() - rememberedAt) + TOLD_WITHIN_MS)
  }
}

describe('broadcasts stay on air', { timeout: 400_000 }, () => {
  it('when an ffmpeg is killed, again and again', async () => {
    five.offAir.longestMs()
    for (let round = 0; round < KILLS; round++) await five.killOne()
    await five.allLive()
    table.add(`kill -9 of an ffmpeg, ${KILLS} times, the longest`, five.offAir.longestMs(), 3)
  })

  it('when an ffmpeg hangs', async () => {
    five.offAir.longestMs()
    const [victim] = await five.ffmpegs()
    process.kill(victim?.pid ?? process.pid, 'SIGSTOP')
    await five.anotherFor(victim?.pid)
    await five.allOnAir()
    table.add('SIGSTOP of an ffmpeg', five.offAir.longestMs(), 25)
  })

  it('[LIST-03] when the ffmpeg of a playlist is killed, in the same item and where it was', async () => {
    // Far enough in that a beginning anew would be seen.
    await waitFor('some of the item to be sent', async () => (await five.listed()).positionMs > 3 * TOLD_WITHIN_MS, {
      timeoutMs: 120_000,
    })
    const expectSamePlace = await rememberPlace()
    await five.killOne(five.listName)
    await five.allLive()
    await expectSamePlace()
  })

  it('when the database is locked, even if an ffmpeg dies meanwhile', async () => {
    await five.allLive()
    five.offAir.longestMs()
    const before = await five.restarts()
    const other = new SqliteDatabase(join(siarin.dataDir, 'siarin.db'))
    other.exec('begin exclusive')
    const lockedAt = performance.now()
    await five.killOne()
    await sleep(Math.max(0, LOCKED_MS - (performance.now() - lockedAt)))
    other.exec('rollback')
    other.close()
    await waitFor('what happened meanwhile to be written', async () => (await five.restarts()) > before)
    await five.allLive()
    table.add(`database locked for ${LOCKED_MS / 1000} s, kill -9 within`, five.offAir.longestMs(), 3)
  })

  it('[LIST-03] when the program is killed, and then goes on under the next one', async () => {
    five.offAir.longestMs()
    const before = await five.pids()
    const expectSamePlace = await rememberPlace()
    await siarin.kill9()
    await sleep(1_000)
    await siarin.restart()
    // The rows say live from before.
    await waitFor('all to be taken over', async () => siarin.output().split('took over a running ffmpeg').length > 5)
    await five.allLive()
    await five.allOnAir()
    expect(await five.pids()).toEqual(before)
    await expectSamePlace()
    // None at all; but we look every 0.1 s, and what ffmpeg sends comes in small lumps.
    table.add('kill -9 of the program', five.offAir.longestMs(), 0.5)
  })

  it('[LIST-03] when everything is killed at once, as by a power cut', async () => {
    const expectSamePlace = await rememberPlace()
    await siarin.kill9()
    for (const running of await five.ffmpegs()) kill9(running)
    for (const name of five.names) await five.rtmp.waitForNoPublisher(name)
    const startedAt = performance.now()
    await siarin.restart()
    await five.allOnAir()
    table.add('power cut: from the start of the program to all on air', performance.now() - startedAt, 5)
    await five.allLive()
    await expectSamePlace()
  })

  it('under starts and stops at random: no orphan, no double, every row right', async () => {
    const before = await five.active()
    const mine = new Set<string>()
    const client = async (index: number): Promise<void> => {
      for (let turn = 0; turn < RANDOM_CALLS / CLIENTS; turn++) {
        const [some] = mine
        if (some && Math.random() < 0.5) {
          mine.delete(some)
          await five.stop(some)
        } else {
          const { body } = await five.start(`random-${index}-${turn}`)
          if (body.streamId) mine.add(body.streamId)
        }
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)))
    const wanted = [...before.map(({ streamId }) => streamId), ...mine].sort()
    await waitFor('every row to be right', async () => {
      const rows = (await five.active()).map(({ streamId }) => streamId).sort()
      return rows.join() === wanted.join()
    })
    for (const streamId of mine) await five.stop(streamId)
    await waitFor('only the first ones to be left', async () => (await five.active()).length === before.length)
    const targets = (await five.ffmpegs()).map(({ args }) => args.at(-1)).sort()
    expect(targets).toEqual(five.names.map((name) => `${five.rtmp.url}/${name}`))
    await five.allOnAir()
    for (const { streamId } of await five.active()) await five.stop(streamId)
    expect(await five.ffmpegs()).toEqual([])
    for (const name of five.names) await five.rtmp.waitForNoPublisher(name)
  })
})
