import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'

const YEAR_SECONDS = 31_536_000

/** What every answer tells a browser about what it may do with it. The same for all of them: made once. */
export function sendSecurityHeaders(app: FastifyInstance, publicUrl: string | null, videoServiceUrl: string): void {
  const headers = headersBy(rulesFor(publicUrl, videoServiceUrl))
  app.addHook('onRequest', (_request, reply, done) => {
    // On the answer itself: some of ours are written there, past Fastify.
    for (const [name, value] of headers) reply.raw.setHeader(name, value)
    done()
  })
}

function headersBy(rules: HelmetOptions): [string, string][] {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  helmet(rules)(request, response, (fault) => {
    if (fault) throw fault
  })
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))])
}

function rulesFor(publicUrl: string | null, videoServiceUrl: string): HelmetOptions {
  // Many run this on a bare address first: a server that says https there has it for good.
  const isHttps = publicUrl?.startsWith('https:') ?? false
  const videoService = [videoServiceUrl].filter(Boolean)
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Toasts and positioned menus set style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...videoService],
        fontSrc: ["'self'", 'data:'],
        // Online sources are shown through us: nothing of theirs is read from elsewhere.
        mediaSrc: ["'self'", 'blob:', ...videoService],
        connectSrc: ["'self'", ...videoService],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Other names under the same domain are not ours to speak for.
    strictTransportSecurity: isHttps && { maxAge: YEAR_SECONDS, includeSubDomains: false },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
    // These two mean nothing without HTTPS but warnings in the console.
    crossOriginOpenerPolicy: isHttps && { policy: 'same-origin' },
    originAgentCluster: isHttps,
  }
}
