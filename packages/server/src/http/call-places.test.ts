import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limitCallsAtOnce } from './call-places.ts'
import { answerErrors } from './error-answers.ts'

const app = Fastify()
/** Ends the handlers that hang. */
const release = new AbortController()
/** The same of the stops. */
const stopped = new AbortController()
/** What is still being sent. */
const films: Readable[] = []
let hanging = 0
let stopping = 0
let url = ''

beforeAll(async () => {
  app.decorateRequest('caller', null)
  app.decorateRequest('sessionCaller', null)
  answerErrors(app)
  app.addHook('preValidation', async (request) => {
    const userId = String(request.headers['x-who'])
    const sessionId = request.headers['x-session']
    Object.assign(request, {
      caller: { userId, workspaceId: userId },
      ...(sessionId && { sessionCaller: { sessionId } }),
    })
  })
  await app.register(async (calls) => {
    limitCallsAtOnce(calls)
    calls.get('/hang', async () => {
      hanging++
      await once(release.signal, 'abort')
      return {}
    })
    calls.get('/read', async () => ({}))
    calls.post('/stop', { config: { urgent: true } }, async () => ({}))
    calls.post('/stop-slowly', { config: { urgent: true } }, async () => {
      stopping++
      if (!stopped.signal.aborted) await once(stopped.signal, 'abort')
      return {}
    })
    calls.get('/film', async (_, reply) => {
      const film = new Readable({ read() {} })
      film.push('its beginning')
      films.push(film)
      return reply.send(film)
    })
    calls.get('/feed', (_, reply) => {
      reply.hijack()
      reply.raw.writeHead(200).write('data: {}\n\n')
    })
  })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

const ask = (path: string, who: string, more: RequestInit = {}) =>
  fetch(`${url}${path}`, { headers: { 'x-who': who }, ...more })

describe('[SAFE-07] calls of one account at once', () => {
  it('are six; sixty wait, and those beyond are told to come back. A stop gets through, and others notice nothing', async () => {
    const hangs = Array.from({ length: 6 }, () => ask('/hang', 'busy'))
    await expect.poll(() => hanging, { timeout: 10_000 }).toBe(6)
    const leaving = new AbortController()
    const left = ask('/read', 'busy', { signal: leaving.signal }).catch(() => 'gone')
    const reads = Array.from({ length: 60 }, () => ask('/read', 'busy'))
    const refused = await Promise.any(reads)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', message: expect.stringContaining('sekaligus') })
    expect((await ask('/stop', 'busy', { method: 'POST' })).status).toBe(200)
    expect([(await ask('/read', 'other')).status, (await ask('/read', 'other', { method: 'HEAD' })).status]).toEqual([
      200, 200,
    ])

    // One that leaves makes room for another, which waits instead of being refused.
    leaving.abort()
    expect(await left).toBe('gone')
    await expect
      .poll(
        async () => {
          const next = ask('/read', 'busy')
          reads.push(next)
          return Promise.race([next.then(({ status }) => status), sleep(200, 'waits')])
        },
        { timeout: 10_000 },
      )
      .toBe('waits')
    release.abort()
    expect((await Promise.all(hangs)).map(({ status }) => status)).toEqual(hangs.map(() => 200))
    const statuses = (await Promise.all(reads)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(60)
  })

  it('are few also if they are stops, with places of their own: a thousand hold up nobody, and no other call holds them up', async () => {
    const stop = (who: string) => ask('/stop-slowly', who, { method: 'POST' })
    let refusals = 0
    const stops = Array.from({ length: 1_000 }, async () => {
      const reply = await stop('stops')
      if (reply.status === 429) refusals++
      return reply
    })
    const refused = await Promise.any(stops)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    // Its other calls, and the stops of others, have places that these do not take.
    expect([(await ask('/read', 'stops')).status, (await ask('/stop', 'other', { method: 'POST' })).status]).toEqual([
      200, 200,
    ])
    const inSession = { method: 'POST', headers: { 'x-who': 'stops', 'x-session': 'of the owner' } }
    expect((await ask('/stop', 'stops', inSession)).status).toBe(200)
    await expect.poll(() => [refusals, stopping], { timeout: 10_000 }).toEqual([964, 12])
    stopped.abort()
    const statuses = (await Promise.all(stops)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(36)
    expect((await ask('/stop', 'stops', { method: 'POST' })).status).toBe(200)
  })

  it('hold no place while the body of their answer is read', async () => {
    const patient = () => ({ signal: AbortSignal.timeout(5_000) })
    const readers = await Promise.all(Array.from({ length: 10 }, () => ask('/film', 'readers', patient())))
    expect((await ask('/read', 'readers', patient())).status).toBe(200)
    for (const film of films) film.push(null)
    expect(await Promise.all(readers.map((reader) => reader.text()))).toEqual(readers.map(() => 'its beginning'))
  })

  it('are not what a feed is: it has no end, and holds no place', async () => {
    const feeds = await Promise.all(Array.from({ length: 10 }, () => ask('/feed', 'feeds')))
    expect((await ask('/read', 'feeds')).status).toBe(200)
    for (const { body } of feeds) await body?.cancel()
  })
})
