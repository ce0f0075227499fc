import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { presentOwner } from '../platform/on-behalf-of.ts'
import { limitCallsOfAddresses } from './address-places.ts'
import { limitCallsAtOnce } from './call-places.ts'
import { chargeCallers } from './charge-callers.ts'

/** More than an account has places for: most of them wait, and are begun by the end of another. */
const CALLS = 30

const app = Fastify()
afterEach(() => app.close())

it('[SAFE-07] a call asks on behalf of its account, also where it waited for a place, has a body or sends a long answer', async () => {
  app.decorateRequest('caller', null)
  app.decorateRequest('sessionCaller', null)
  limitCallsOfAddresses(app)
  chargeCallers(app)
  const asked: string[] = []
  app.addHook('preValidation', async (request) => {
    asked.push(String(presentOwner()))
    const userId = request.headers['x-user']
    if (typeof userId === 'string') request.caller = { userId } as typeof request.caller
  })
  await app.register(async (calls) => {
    limitCallsAtOnce(calls)
    calls.post('/owner', async () => {
      await sleep(5)
      return { owner: presentOwner() }
    })
    calls.get('/long', async (_request, reply) => {
      async function* owners() {
        for (let part = 0; part < 3; part++) {
          await sleep(1)
          yield `${presentOwner()} `
        }
      }
      return reply.send(Readable.from(owners()))
    })
  })
  await app.ready()

  const users = Array.from({ length: CALLS }, (_, call) => `user-${call % 2}`)
  const answers = await Promise.all(
    users.map((user) => app.inject({ method: 'POST', url: '/owner', headers: { 'x-user': user }, payload: { a: 1 } })),
  )
  expect(answers.map((answer) => answer.json().owner)).toEqual(users)
  const stranger = await app.inject({ method: 'POST', url: '/owner', remoteAddress: '192.0.2.7', payload: {} })
  expect(stranger.json().owner).toContain('192.0.2.7')
  expect(new Set(asked).size).toBe(2)

  const long = await Promise.all(users.map((user) => app.inject({ url: '/long', headers: { 'x-user': user } })))
  expect(long.map(({ body }) => body)).toEqual(users.map((user) => `${user} `.repeat(3)))
  expect(presentOwner()).toBeNull()
})
