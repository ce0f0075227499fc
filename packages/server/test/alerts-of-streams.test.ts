import { DEFAULT_ALERT_SETTINGS } from '@siarin/contracts/alerts'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, personWithVideo } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

let stage: StreamStage

beforeAll(async () => {
  stage = await openStreamStage()
})
afterAll(() => stage.close())

describe('alerts of a real broadcast', () => {
  it('[ALERT-01] say that it breaks off too often, stays off air and is back; its end by its owner is quiet', async () => {
    const { apiKey } = await personWithVideo(stage.program, stage.clip)
    const headers = { 'x-api-key': apiKey }
    const settings = { ...DEFAULT_ALERT_SETTINGS, restartsPerHour: 1 }
    await call(stage.program.url, 'PUT', '/fitur/alert/settings', { body: settings, headers })
    const alerts = async (): Promise<{ kind: string; title: string; subjectId: string }[]> =>
      (await call(stage.program.url, 'GET', '/fitur/alert', { headers })).body.data
    const live = (reconnects: number) =>
      waitFor(`${reconnects} reconnects`, async () =>
        (await stage.active(apiKey)).some((each) => each.state === 'live' && each.reconnects === reconnects),
      )

    const { streamId } = (await stage.start(apiKey, 'putus-putus', { title: 'Malam' })).body
    await live(0)
    for (const time of [1, 2]) {
      await stage.rtmp.dropPublisher('putus-putus')
      await live(time)
    }
    const [flapping] = await waitFor('it to be told', async () => {
      const told = await alerts()
      return told.length === 1 && told
    })
    expect(flapping).toMatchObject({ kind: 'stream.flapping', subjectId: streamId })

    await stage.rtmp.stop()
    // As if its minute were over: the rest is as it is.
    await waitFor('the incident', async () => {
      const row = await stage.program.db
        .selectFrom('alert_incidents')
        .selectAll()
        .where('due_at', 'is not', null)
        .executeTakeFirst()
      if (!row) return false
      await stage.program.db
        .updateTable('alert_incidents')
        .set({ due_at: 1, state: row.state.replace(/"since":\d+/, '"since":1000') })
        .where('id', '=', row.id)
        .execute()
      return true
    })
    await waitFor('it to be told', async () => (await alerts())[0]?.kind === 'stream.offair')
    await stage.rtmp.start()
    await waitFor('its end to be told', async () => (await alerts())[0]?.kind === 'stream.back', { timeoutMs: 60_000 })
    await stage.stop(apiKey, streamId)
    await waitFor('nothing to be remembered', async () => {
      const rows = await stage.program.db.selectFrom('alert_incidents').selectAll().execute()
      return rows.length === 0
    })
    expect((await alerts()).map(({ kind }) => kind)).toEqual(['stream.back', 'stream.offair', 'stream.flapping'])
  })
})
