import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { startSiarin } from '@siarin/testkit/siarin-server'
import {
  type StreamlabsAccount,
  type StreamlabsService,
  startStreamlabsService,
} from '@siarin/testkit/streamlabs-service'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../src/platform/db/database.ts'
import { call, personWithVideo, startProgram } from './support/program.ts'
import { openStreamStage, type StreamStage, streamCalls } from './support/streams.ts'

const MINUTE_MS = 60_000
/** They move the clock of one program: one after the other, while others wait beside them. */
const IN_TURN = { concurrent: false }

let streamlabs: StreamlabsService
let stage: StreamStage
let apiKey: string

beforeAll(async () => {
  streamlabs = await startStreamlabsService()
  stage = await openStreamStage({ STREAMLABS_API_URL: streamlabs.url })
  apiKey = (await personWithVideo(stage.program, stage.clip)).apiKey
})
afterAll(async () => {
  await stage.close()
  await streamlabs.dispose()
})

let last = 0
/** A token whose broadcasts go to the server of the test, under its own name. */
function tokenFor(account: StreamlabsAccount = {}): string {
  last += 1
  const token = `slobs-ends-${last}`
  streamlabs.set(token, { rtmp: stage.rtmp.url, key: token, ...account })
  return token
}

/** The broadcasts whose end was asked for, as often as it was. */
const ends = (token: string): string[] => streamlabs.calls('end', token).map(({ id }) => id)

const begin = async (
  token: string,
  url = stage.program.url,
  key = apiKey,
): Promise<{ id: string; rtmpSteam: string }> =>
  (await call(url, 'POST', '/fitur/steamlabs/start', { body: { apiKey: key, token, title: 'Siaran' } })).body.stream

const goLive = async (rtmpSteam: string): Promise<string> =>
  (await stage.start(apiKey, '', { platform: 'tiktok', rtmpStream: rtmpSteam })).body.streamId

/** A round has begun after this moment, and has come to its end: rounds come one after the other, and this is seen of a second one. */
async function lookedAgain(): Promise<void> {
  for (const round of ['first', 'second']) {
    const token = `slobs-probe-${randomUUID()}`
    const streamId = await goLive((await begin(token)).rtmpSteam)
    await stage.stop(apiKey, streamId)
    await waitFor(`the ${round} round`, async () => ends(token).length > 0)
  }
}

describe.concurrent('a broadcast at TikTok', () => {
  it('[ACC-07] is ended there when its stream is stopped, and not before', IN_TURN, async () => {
    const token = tokenFor()
    const { id, rtmpSteam } = await begin(token)
    const streamId = await goLive(rtmpSteam)
    await stage.rtmp.waitForPublisher(token, { growing: true })
    stage.program.clock.move(30 * MINUTE_MS)
    await lookedAgain()
    expect(ends(token)).toEqual([])
    await stage.rtmp.waitForPublisher(token, { growing: true })
    await stage.stop(apiKey, streamId)
    await waitFor('the end at TikTok', async () => ends(token).length > 0)
    stage.program.clock.move(30 * MINUTE_MS)
    await lookedAgain()
    expect(ends(token)).toEqual([id])
    expect(streamlabs.liveId(token)).toBeNull()
  })

  it('[ACC-07] that no stream takes is ended after ten minutes', IN_TURN, async () => {
    const token = tokenFor()
    const { id } = await begin(token)
    await lookedAgain()
    expect(ends(token)).toEqual([])
    stage.program.clock.move(11 * MINUTE_MS)
    await waitFor('the end at TikTok', async () => ends(token).length > 0)
    expect(ends(token)).toEqual([id])
  })

  it('[ACC-07] is ended as soon as TikTok lets us, however often it does not', IN_TURN, async () => {
    const token = tokenFor({ end: { status: 500, html: true } })
    const { id } = await begin(token)
    for (let tries = 1; tries <= 3; tries++) {
      stage.program.clock.move(11 * MINUTE_MS)
      await waitFor(`try ${tries}`, async () => ends(token).length >= tries)
    }
    streamlabs.set(token, {})
    stage.program.clock.move(11 * MINUTE_MS)
    await waitFor('the end at TikTok', async () => streamlabs.liveId(token) === null)
    expect(new Set(ends(token))).toEqual(new Set([id]))
  })

  it('[ACC-07] whose token is no longer valid is let be', IN_TURN, async () => {
    const token = tokenFor({ end: { status: 401, json: {} } })
    await begin(token)
    stage.program.clock.move(11 * MINUTE_MS)
    await waitFor('the try', async () => ends(token).length > 0)
    stage.program.clock.move(60 * MINUTE_MS)
    await lookedAgain()
    expect(ends(token)).toHaveLength(1)
  })

  it(
    '[ACC-07] that another one of the account has taken the place of is not ended a second time',
    IN_TURN,
    async () => {
      const token = tokenFor()
      await begin(token)
      const second = await begin(token)
      stage.program.clock.move(11 * MINUTE_MS)
      await waitFor('the end at TikTok', async () => ends(token).length > 0)
      await lookedAgain()
      expect(ends(token)).toEqual([second.id])
    },
  )
})

describe.concurrent('a broadcast at TikTok whose stream fails for good', () => {
  it('[ACC-07] is ended there', async () => {
    const program = await startProgram({ STREAMLABS_API_URL: streamlabs.url })
    try {
      const token = tokenFor({ rtmp: stage.rtmp.refusingUrl })
      const person = await personWithVideo(program, stage.clip)
      const { id, rtmpSteam } = await begin(token, program.url, person.apiKey)
      const to = { platform: 'tiktok', rtmpStream: rtmpSteam }
      expect((await streamCalls(program.url, stage.rtmp).start(person.apiKey, '', to)).status).toBe(200)
      await waitFor('the end at TikTok', async () => ends(token).length > 0, { timeoutMs: 120_000 })
      expect(ends(token)).toEqual([id])
      expect(await program.phasesOf(person.email)).toEqual(['ended'])
    } finally {
      await program.close()
    }
  })
})

describe.concurrent('a program that is killed', () => {
  it('[ACC-07] ends at TikTok what ended before the kill, once it is back', async () => {
    const siarin = await startSiarin({ env: { STREAMLABS_API_URL: streamlabs.url } })
    const db = openSqlite(join(siarin.dataDir, 'siarin.db'))
    try {
      const token = tokenFor({ end: { status: 503, html: true } })
      const person = await personWithVideo(siarin, stage.clip)
      const calls = streamCalls(siarin.url, stage.rtmp)
      const { id, rtmpSteam } = await begin(token, siarin.url, person.apiKey)
      const { body } = await calls.start(person.apiKey, '', { platform: 'tiktok', rtmpStream: rtmpSteam })
      await stage.rtmp.waitForPublisher(token, { growing: true })
      await calls.stop(person.apiKey, body.streamId)
      await waitFor('a try that fails', async () => ends(token).length > 0)
      // Killed before this is written, the next try comes half a minute later.
      await waitFor('its next try to be written down', async () => {
        const rows = await db.selectFrom('platform_broadcasts').select('next_try_at').execute()
        return rows.every(({ next_try_at: at }) => at < Date.now() + 20_000)
      })
      await siarin.kill9()
      streamlabs.set(token, {})
      await siarin.restart()
      await waitFor('the end at TikTok', async () => streamlabs.liveId(token) === null, { timeoutMs: 120_000 })
      expect(new Set(ends(token))).toEqual(new Set([id]))
    } finally {
      await db.destroy()
      await siarin.dispose()
    }
  })
})
