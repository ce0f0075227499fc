import type { FastifyRequest } from 'fastify'

/**
 * PUBLIC_URL or, where that is empty, the origin through which this user came. The name is that of `Host`, which a proxy sets itself: most
 * pass on an `X-Forwarded-Host` that they did not write, so that it may be the visitor's.
 */
export const originOf = (publicUrl: string | null, request: FastifyRequest): string =>
  // A proxy may pass on the visitor's word for the protocol as well.
  publicUrl ?? `${request.protocol === 'https' ? 'https' : 'http'}://${request.headers.host ?? ''}`
