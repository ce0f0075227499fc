import type { FastifyRequest } from 'fastify'
import { deviceTokenOf } from './device-cookie.ts'

/** Whence a person comes, for the activity list and the list of sessions. */
export interface Visitor {
  readonly address: string
  readonly device: string
  /** By which the browser is known again; null or absent: it sent none. */
  readonly deviceToken?: string | null
}

export const visitorOf = (request: FastifyRequest): Visitor => ({
  address: request.ip,
  device: (request.headers['user-agent'] ?? 'unknown').slice(0, 200),
  deviceToken: deviceTokenOf(request),
})
