import type { FastifyInstance } from 'fastify'

const VIDEO_PATH = '/fitur/video'
const A_DAY_SECONDS = '86400'

/**
 * The video calls may be made from a page of any address, such as the Recaptcha V3 screen of another server. They ask for an API key, and a
 * browser never sends one by itself, so a strange page gains nothing by it.
 */
export function openVideosToOtherPages(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.url.startsWith(VIDEO_PATH)) return done()
    reply.headers({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' })
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return done()
    reply
      .headers({
        'Access-Control-Allow-Methods': 'GET, POST, DELETE',
        'Access-Control-Allow-Headers': '*',
        'Access-Control-Max-Age': A_DAY_SECONDS,
      })
      .code(204)
      .send()
  })
}
