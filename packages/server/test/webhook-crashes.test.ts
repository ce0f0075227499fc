import { WEBHOOK_EVENTS } from '@siarin/contracts/webhooks'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { waitFor } from '@siarin/testkit/wait-for'
import { startWebhookReceiver } from '@siarin/testkit/webhook-receiver'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../src/platform/db/database.ts'
import { call, signIn } from './support/program.ts'
import { assertSigned, LIVE, tell } from './support/webhooks.ts'

const STREAMS = 6
const ENDED = { fact: 'stream.ended', payload: { reason: 'stopped', cause: null } } as const

describe('the program, killed with -9 while webhooks wait', () => {
  it('[HOOK-02] delivers each of them at its next start, in order, under the id that it had', async () => {
    const receiver = await startWebhookReceiver()
    const siarin = await startSiarin()
    const { user } = await signIn(siarin.url)
    const { body } = await call(siarin.url, 'POST', '/fitur/webhook', {
      body: { url: receiver.urlOf('killed'), events: WEBHOOK_EVENTS },
      headers: { 'x-api-key': user.apiKey },
    })
    // Those that are under way when it is killed never get an answer.
    receiver.answer('killed', 204, 204, 204, 'hang')
    const db = openSqlite(`${siarin.dataDir}/siarin.db`)
    for (let stream = 0; stream < STREAMS; stream++) {
      await tell({ db }, user, [LIVE, ENDED], { kind: 'stream', id: `s${stream}` })
    }
    await receiver.got('killed', 4)
    await siarin.kill9()
    const before = receiver.received('killed')
    // As if the claims of the dead program had lapsed.
    await db.updateTable('webhook_deliveries').set({ due_at: 1 }).where('due_at', 'is not', null).execute()
    receiver.answer('killed', 204)
    await siarin.restart()
    await waitFor('the last of them', async () => {
      const left = await db.selectFrom('webhook_deliveries').select('id').where('state', '=', 'waiting').execute()
      return left.length === 0
    })
    const rows = await db.selectFrom('webhook_deliveries').select(['id', 'state']).execute()
    const got = receiver.received('killed')
    expect(rows.map(({ state }) => state)).toEqual(Array.from({ length: 2 * STREAMS }, () => 'delivered'))
    expect(new Set(got.map(({ id }) => id))).toEqual(new Set(rows.map(({ id }) => id)))
    expect(got.length - new Set(got.map(({ id }) => id)).size).toBeLessThanOrEqual(4)
    expect(before.length).toBeLessThan(got.length)
    assertSigned(body.secret, got)
    for (let stream = 0; stream < STREAMS; stream++) {
      const types = got.flatMap(({ type, data }) => (data['streamId'] === `s${stream}` ? [type] : []))
      expect(types.lastIndexOf('stream.live')).toBeLessThan(types.indexOf('stream.ended'))
    }
    expect(siarin.output()).not.toContain(body.secret)
    expect(siarin.output()).not.toContain(receiver.urlOf('killed'))
    await db.destroy()
    await siarin.dispose()
    await receiver.dispose()
  })
})
