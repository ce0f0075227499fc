import type { FastifyRequest } from 'fastify'

/** PUBLIC_URL or, where that is empty, the origin through which this user came. */
export const originOf = (publicUrl: string | null, request: FastifyRequest): string =>
  publicUrl ?? `${request.protocol}://${request.host}`
