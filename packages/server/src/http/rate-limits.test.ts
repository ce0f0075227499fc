import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { createLocalCounters } from '../platform/counters.ts'
import { createAddressLimiter, createSessionRate } from './rate-limits.ts'

it('[SAFE-06] an IPv6 network may ten times as much as one line in it, however many lines it has', async () => {
  const app = Fastify()
  app.decorate('counters', createLocalCounters())
  const preHandler = createAddressLimiter(app, 'test', { max: 2, windowMs: 60_000 })
  app.get('/', { preHandler }, async () => 'in')
  app.setErrorHandler((_error, _request, reply) => reply.code(429).send())
  const ask = async (remoteAddress: string) => (await app.inject({ url: '/', remoteAddress })).statusCode
  const line = (index: number) => `2001:db8:1:${index.toString(16)}::1`
  expect([await ask(line(0)), await ask(line(0)), await ask(line(0))]).toEqual([200, 200, 429])
  for (let index = 1; index <= 18; index++) expect(await ask(line(index))).toBe(200)
  expect(await ask(line(19))).toBe(429)
  expect([await ask('2001:db8:2::1'), await ask('203.0.113.7')]).toEqual([200, 200])
  await app.close()
})

it('[SAFE-06] an account may five times as much as one session of it, however many it has', async () => {
  const count = createSessionRate({ counters: createLocalCounters() }, 'terlalu sering')
  const call = (userId: string, sessionId: string) =>
    count({ userId, sessionId }).then(
      () => true,
      ({ code }) => code,
    )
  const outcomes: unknown[] = []
  for (let sent = 0; sent < 601; sent++) outcomes.push(await call('ani', 'satu'))
  // What a session has too much takes nothing from the others.
  expect([outcomes.slice(0, 600).every((each) => each === true), outcomes[600]]).toEqual([true, 'rate_limited'])
  for (let sent = 0; sent < 2_400; sent++) await call('ani', `lain-${sent % 8}`)
  expect(await call('ani', 'baru')).toBe('rate_limited')
  expect(await call('budi', 'baru-juga')).toBe(true)
})
