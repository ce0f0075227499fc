import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A screen has the same address: a browser that goes there gets the page, a program the answer. */
    alsoPage?: boolean
  }
}

/** A browser that opens an address asks for HTML; our page's own calls and programs do not. */
export function servePagesAtCalls(app: FastifyInstance, hasPages: boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!hasPages || !request.routeOptions.config.alsoPage) return done()
    // What a browser kept of one must not be shown as the other, as when somebody goes back.
    reply.header('Vary', 'Accept, Accept-Encoding')
    if (request.headers.accept?.includes('text/html')) return reply.callNotFound()
    reply.header('Cache-Control', 'no-store')
    done()
  })
}
