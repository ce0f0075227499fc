import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClip } from '@siarin/testkit/clips'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { startWebhookReceiver, type WebhookReceiver } from '@siarin/testkit/webhook-receiver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../src/platform/db/database.ts'
import { CALM, DATABASES, startProgramOn } from './support/databases.ts'
import { bearer, call, giveVideo, type Reply, signIn, type TestProgram } from './support/program.ts'
import { hookOwner } from './support/webhooks.ts'

const [AT_ONCE, WAITING] = [6, 60]
const LISTS = { count: 40, items: 500 }
const CALLS = 200

describe.each(DATABASES)('[SAFE-07] calls of one account at once, on $name', { timeout: 180_000 }, ({ open }) => {
  let program: TestProgram
  let receiver: WebhookReceiver

  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    program = await startProgramOn(open, {}, { ...CALM, webhooks: { ...CALM.webhooks, tryMs: 10_000 } })
  })
  afterAll(async () => {
    await program.close()
    await receiver.dispose()
  })

  /** 'none': there is none for now. */
  const answered = (reply: Promise<Reply>): Promise<Reply | 'none'> =>
    Promise.race([reply, sleep(500, 'none' as const)])

  it('are a few; more wait, and those beyond are told to come back. A stop gets through, and others notice nothing', async () => {
    const [busy, other] = [await hookOwner(program), await hookOwner(program)]
    receiver.answer('hang', 'hang')
    const ids: string[] = []
    for (let count = 0; count < AT_ONCE; count++) ids.push((await busy.add(receiver.urlOf('hang'))).body.data.id)
    // Handlers that wait for somebody else.
    const tests = ids.map((id) => busy.ask('POST', `/${id}/test`))
    await waitFor('all of them to be under way', async () => receiver.open('hang') === AT_ONCE)

    const leaving = new AbortController()
    const left = fetch(new URL('/fitur/webhook', program.url), { headers: busy.headers, signal: leaving.signal })
    const reads = Array.from({ length: WAITING }, () => busy.list())
    const refused = await Promise.any(reads)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(refused.body.message).toBe('Terlalu banyak permintaan sekaligus. Tunggu yang tadi selesai, lalu coba lagi.')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await busy.list()).status).toBe(429)

    const stop = { body: { streamId: randomUUID() }, headers: busy.headers }
    expect((await call(program.url, 'POST', '/fitur/steam/stop', stop)).body.code).toBe('stream_not_found')
    expect((await other.list()).status).toBe(200)

    // Whoever leaves makes room for one more, which waits instead.
    leaving.abort()
    await left.catch(() => {})
    const late: Promise<Reply>[] = []
    await waitFor('room for one more', async () => {
      const next = busy.list()
      const isWaiting = (await answered(next)) === 'none'
      if (isWaiting) late.push(next)
      return isWaiting
    })
    const [first, ...waited] = (await Promise.all([...reads, ...late])).sort((a, b) => b.status - a.status)
    expect([first?.status, new Set(waited.map(({ status }) => status))]).toEqual([429, new Set([200])])
    expect((await Promise.all(tests)).map(({ status }) => status)).toEqual(ids.map(() => 200))
  })

  it('are not what a feed is: it has no end, and holds no place', async () => {
    const { token } = await signIn(program.url)
    const headers = bearer(token)
    const feeds = await Promise.all(
      Array.from({ length: AT_ONCE + 2 }, () => fetch(new URL('/fitur/steam/live', program.url), { headers })),
    )
    expect(feeds.map(({ status }) => status)).toEqual(feeds.map(() => 200))
    expect((await call(program.url, 'GET', '/fitur/webhook', { headers })).status).toBe(200)
    for (const { body } of feeds) await body?.cancel()
  })
})

/** In a program of its own: one that shares its event loop with its callers tells nothing about them. With SQLite no read ever waits. */
describe('[SAFE-07] dear calls of one account at once', { timeout: 180_000 }, () => {
  it('leave another account about as quick as it was', async () => {
    const folder = await tempDir('call-places')
    const siarin = await startSiarin()
    try {
      const clip = join(folder.path, 'klip.mp4')
      await makeClip(clip, { seconds: 1 })
      const [{ user, token }, stranger] = [await signIn(siarin.url), await hookOwner(siarin)]
      await giveVideo(siarin, user, clip)
      await fillPlaylists(siarin.dataDir, user.email)
      const list = () => call(siarin.url, 'GET', '/fitur/playlist', { headers: bearer(token) })
      const begun = performance.now()
      expect((await list()).status).toBe(200)
      const aloneMs = performance.now() - begun

      let isOver = false
      const ended = Promise.all(Array.from({ length: CALLS }, list)).then((replies) => {
        isOver = true
        return replies
      })
      const tookMs: number[] = []
      while (!isOver) {
        const since = performance.now()
        expect((await stranger.list()).status).toBe(200)
        tookMs.push(performance.now() - since)
        await sleep(20)
      }
      expect((await ended).every(({ status }) => status === 200 || status === 429)).toBe(true)
      const slowestMs = Math.max(...tookMs)
      process.stdout.write(
        `${CALLS} dear calls at once (${Math.round(aloneMs)} ms alone): the slowest of ${tookMs.length} calls of a stranger took ${Math.round(slowestMs)} ms\n`,
      )
      expect(slowestMs).toBeLessThan(Math.max(1_000, 10 * aloneMs))
    } finally {
      await siarin.dispose()
      await folder.remove()
    }
  })
})

async function fillPlaylists(dataDir: string, email: string): Promise<void> {
  const db = openSqlite(join(dataDir, 'siarin.db'))
  const { id: user_id } = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const { id: video_id } = await db
    .selectFrom('videos')
    .select('id')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  for (let count = 0; count < LISTS.count; count++) {
    const playlist = { id: randomUUID(), user_id, name: `Daftar ${count}`, created_at: count, updated_at: count }
    await db.insertInto('playlists').values(playlist).execute()
    const items = Array.from({ length: LISTS.items }, (_, position) => ({
      ...{ id: randomUUID(), playlist_id: playlist.id, position, video_id },
    }))
    await db.insertInto('playlist_items').values(items).execute()
  }
  await db.destroy()
}
