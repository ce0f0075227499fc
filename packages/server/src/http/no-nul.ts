import type { FastifyInstance } from 'fastify'
import { DomainError } from '../errors.ts'
import { textsFor } from './error-answers.ts'

/** Walks without calling itself: a body may be nested deeper than the stack. Streams and the like are not looked into. */
function holdsNul(...values: unknown[]): boolean {
  const rest = values
  while (rest.length > 0) {
    const value = rest.pop()
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) return true
    const isPlain = value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
    if (isPlain || Array.isArray(value)) for (const one of Object.values(value as object)) rest.push(one)
  }
  return false
}

/**
 * PostgreSQL keeps no NUL in a text and fails at the mere question, and of half a surrogate pair a database makes another character: nobody
 * means either. After validation, so that a field with a sentence of its own says it.
 */
export function refuseNul(app: FastifyInstance): void {
  app.addHook('preHandler', ({ params, query, body, url }, _reply, done) => {
    // Parsed parameters have a prototype of their parser's own.
    const isRefused = holdsNul({ ...(params as object) }, { ...(query as object) }, body)
    done(isRefused ? new DomainError('invalid_input', textsFor(url).badRequest) : undefined)
  })
}
