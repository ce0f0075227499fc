import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { DomainError } from '../../errors.ts'
import { createLocalCounters } from '../../platform/counters.ts'
import { ownAccountLimits } from './own-account-limits.ts'

it('[SAFE-06] what was refused before anybody looked at the password uses up none of the tries', async () => {
  const app = Fastify()
  app.decorate('counters', createLocalCounters())
  app.addHook('onRequest', async (request) => {
    request.sessionCaller = { userId: 'ani', sessionId: 'satu' } as never
  })
  let refusal: 'server_busy' | 'wrong_credentials' | null = 'server_busy'
  const { preHandler, judged } = ownAccountLimits(app as never)
  app.get('/', { preHandler }, (request) =>
    judged(request, async () => {
      if (refusal) throw new DomainError(refusal, '')
      return 'in'
    }),
  )
  app.setErrorHandler((error, _request, reply) => reply.code(400).send((error as DomainError).code))
  const ask = async () => (await app.inject('/')).body
  for (let count = 0; count < 60; count++) expect(await ask()).toBe('server_busy')
  refusal = 'wrong_credentials'
  for (let count = 0; count < 9; count++) expect(await ask()).toBe('wrong_credentials')
  refusal = null
  expect([await ask(), await ask()]).toEqual(['in', 'rate_limited'])
  await app.close()
})
