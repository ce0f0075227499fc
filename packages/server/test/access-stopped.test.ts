import type { ServerResponse } from 'node:http'
import { ACCESS_TEXTS, API_KEY_TEXTS } from '@siarin/contracts/texts'
import { type LoopbackHttp, serveOnLoopback } from '@siarin/testkit/loopback-http'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, call, signIn, startProgram, type TestProgram } from './support/program.ts'

const PATIENT = { timeoutMs: 120_000 }
const REFUSED = { code: 'access_stopped', message: ACCESS_TEXTS.stopped }

let host: LoopbackHttp
let program: TestProgram
/** Parts that the foreign host has begun to send, and never ends. */
let held: ServerResponse[] = []

beforeAll(async () => {
  host = await serveOnLoopback(async (request, response) => {
    if (request.url?.endsWith('.m3u8')) return void response.end('#EXTM3U\n#EXTINF:2,\na.ts\n')
    response.writeHead(200, { 'content-type': 'video/mp2t' }).write('x'.repeat(32))
    held.push(response)
  })
  program = await startProgram({ ENFORCE_PLANS: 'true' })
})
afterAll(async () => {
  await program.close()
  await host.close()
})

/** A feed that is read until it ends. */
async function openFeed(apiKey: string, headers: Record<string, string>) {
  const gone = new AbortController()
  const url = `${program.url}/fitur/steam/live?apiKey=${apiKey}`
  const response = await fetch(url, { headers, signal: gone.signal })
  const feed = { status: response.status, seen: '', ended: false, close: () => gone.abort() }
  void (async () => {
    for await (const part of response.body ?? []) feed.seen += Buffer.from(part).toString()
    feed.ended = true
  })().catch(() => {})
  await waitFor('the first push', async () => feed.seen.includes('data: []'))
  return feed
}

const suspend = (email: string, suspended_at: number | null) => program.setPlan(email, 'business', { suspended_at })

describe('whoever is suspended', () => {
  it('[PLAN-05] is told so by the open feed of streams, which ends', async () => {
    const { token, user } = await signIn(program.url)
    const other = await signIn(program.url)
    // Opened first, it asks first whether it may go on.
    const others = await openFeed(other.user.apiKey, bearer(other.token))
    const feed = await openFeed(user.apiKey, bearer(token))
    await suspend(user.email, program.clock.now())
    await waitFor('the feed to end', async () => feed.ended, PATIENT)
    expect(feed.seen).toContain(`event: refused\ndata: ${JSON.stringify(REFUSED)}\n\n`)
    expect(others.ended).toBe(false)
    others.close()
  })

  it('[PLAN-05] sees no preview any more, and sees it again afterwards', async () => {
    const { token, user } = await signIn(program.url)
    const body = { name: 'Sumber', url: `${host.url}/live.m3u8` }
    const added = await call(program.url, 'POST', '/fitur/online/add', { headers: bearer(token), body })
    const preview = new URL(added.body.data.previewUrl, program.url)
    const playlist = await (await fetch(preview)).text()
    const part = new URL(/^\/.*$/m.exec(playlist)?.[0] ?? '', program.url)
    await suspend(user.email, program.clock.now())
    for (const address of [preview, part]) {
      const reply = await fetch(address)
      expect([reply.status, await reply.json()]).toEqual([403, { success: false, ...REFUSED }])
    }
    await suspend(user.email, null)
    expect((await fetch(preview)).status).toBe(200)
  })
})

describe('feeds of streams', () => {
  it('are ten at once for each person: one more closes the oldest', async () => {
    const { token, user } = await signIn(program.url)
    const other = await signIn(program.url)
    const others = await openFeed(other.user.apiKey, bearer(other.token))
    const feeds: Awaited<ReturnType<typeof openFeed>>[] = []
    for (let number = 1; number <= 10; number++) feeds.push(await openFeed(user.apiKey, bearer(token)))
    expect(feeds.map(({ ended }) => ended)).not.toContain(true)
    feeds.push(await openFeed(user.apiKey, bearer(token)))
    await waitFor('the oldest to end', async () => feeds[0]?.ended)
    expect(feeds[0]?.seen).toContain('retry: 30000')
    expect(feeds.slice(1).map(({ ended }) => ended)).not.toContain(true)
    expect(others.ended).toBe(false)
    for (const { close } of [...feeds, others]) close()
  })
})

describe('whoever has a new API key', () => {
  const newKey = async (token: string): Promise<string> =>
    (await call(program.url, 'POST', '/auth/profile/apikey', { headers: bearer(token) })).body.apiKey

  it('[PROF-03] ends what was opened with the old one: the feed of streams is told so', async () => {
    const { token, user } = await signIn(program.url)
    const feed = await openFeed(user.apiKey, {})
    const apiKey = await newKey(token)
    const fresh = await openFeed(apiKey, {})
    await waitFor('the feed to end', async () => feed.ended, PATIENT)
    const refused = { code: 'api_key_wrong', message: API_KEY_TEXTS.wrong }
    expect(feed.seen).toContain(`event: refused\ndata: ${JSON.stringify(refused)}\n\n`)
    expect(fresh.ended).toBe(false)
    fresh.close()
  })

  it('[PROF-03] sees no preview any more that was given under the old one, and sees one under the new', async () => {
    const { token, user } = await signIn(program.url)
    const body = { apiKey: user.apiKey, name: 'Sumber', url: `${host.url}/live.m3u8` }
    const added = await call(program.url, 'POST', '/fitur/online/add', { body })
    const playlistOf = async (path: string) => {
      const reply = await fetch(new URL(path, program.url))
      return { status: reply.status, text: await reply.text() }
    }
    const partOf = (playlist: string) => /^\/.*$/m.exec(playlist)?.[0] ?? ''
    const old: string = added.body.data.previewUrl
    const part = partOf((await playlistOf(old)).text)
    held = []
    const playing = fetch(new URL(part, program.url)).then((reply) => reply.text())
    const cutOff = expect(playing).rejects.toThrow()
    await waitFor('the part to come', async () => held.length === 1)

    const apiKey = await newKey(token)
    // The part that is under way has no end of its own.
    await cutOff
    await waitFor('its host to be let go', async () => held[0]?.destroyed)
    for (const path of [old, part]) {
      const { status, text } = await playlistOf(path)
      expect([status, JSON.parse(text)]).toEqual([
        410,
        {
          success: false,
          code: 'preview_ended',
          message: 'Pratinjau ini sudah kedaluwarsa. Pilih lagi sumbernya.',
        },
      ])
    }
    const listed = await call(program.url, 'GET', `/fitur/online?apiKey=${apiKey}`)
    expect((await playlistOf(listed.body.data[0].previewUrl)).status).toBe(200)
  })
})

it('[PLAN-05] a suspension counts where plans do not', async () => {
  const open = await startProgram({ ENFORCE_PLANS: 'false' })
  try {
    const { token, user } = await signIn(open.url)
    const look = () => call(open.url, 'GET', `/fitur/video?apiKey=${user.apiKey}`)
    const standing = async () =>
      (await call(open.url, 'GET', '/auth/plan', { headers: bearer(token) })).body.data.state as string
    await open.setPlan(user.email, 'business', { suspended_at: open.clock.now() })
    expect((await look()).body).toMatchObject(REFUSED)
    expect(await standing()).toBe('suspended')
    await open.setPlan(user.email, 'free-trial', { suspended_at: null })
    open.clock.move(1000 * 86_400_000)
    expect((await look()).status).toBe(200)
  } finally {
    await open.close()
  }
})
