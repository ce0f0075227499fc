import type { FastifyHelmetOptions } from '@fastify/helmet'

const YEAR_SECONDS = 31_536_000

/** What every answer tells a browser about what it may do with it. */
export function securityHeaders(publicUrl: string | null, videoServiceUrl: string): FastifyHelmetOptions {
  // Many run this on a bare address first: whoever says https there has it for good.
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
