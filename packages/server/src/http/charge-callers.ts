import type { FastifyInstance } from 'fastify'
import { onBehalfOf } from '../platform/on-behalf-of.ts'
import { addressKey } from './address-key.ts'

/** What a call asks of the database is asked on behalf of its account; until that is known, of its address. */
export function chargeCallers(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => onBehalfOf(addressKey(request.ip), done))
  app.addHook('preHandler', (request, _reply, done) =>
    onBehalfOf(request.caller?.userId ?? addressKey(request.ip), done),
  )
}
