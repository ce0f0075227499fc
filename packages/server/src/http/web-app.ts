import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { type PublicSettings, SETTINGS_ELEMENT_ID } from '@siarin/contracts/settings'
import { GENERAL_TEXTS } from '@siarin/contracts/texts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../errors.ts'
import { sendError } from './error-answers.ts'

const PLACEHOLDER = '<!--siarin-settings-->'
const ASSETS = '/assets/'

/** A JSON block is data, not script: the Content-Security-Policy has nothing against it. '<' is escaped so that no value can end it. */
const settingsBlock = (settings: PublicSettings): string =>
  `<script type="application/json" id="${SETTINGS_ELEMENT_ID}">${JSON.stringify(settings).replaceAll('<', '\\u003c')}</script>`

/** Browsers ask for HTML; whoever takes anything gets the page at the front door only, and JSON elsewhere. */
function wantsPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  // A file of an older build is gone: a page in its place would only confuse.
  if (request.url.startsWith(ASSETS)) return false
  const accept = request.headers.accept ?? '*/*'
  return accept.includes('text/html') || (accept.includes('*/*') && request.url === '/')
}

/** The built page and its assets. Any address that no call answers is the page's own: its router decides, not-found included. */
export async function serveWebApp(
  app: FastifyInstance,
  webRoot: string | null,
  settingsFor: (request: FastifyRequest) => PublicSettings,
): Promise<void> {
  app.get('/settings', { schema: { hide: true } }, async (request) => settingsFor(request))

  const page = webRoot ? await readFile(join(webRoot, 'index.html'), 'utf8').catch(() => null) : null
  if (webRoot && page) {
    await app.register(fastifyStatic, {
      root: join(webRoot, 'assets'),
      prefix: ASSETS,
      decorateReply: false,
      index: false,
      // A file's name carries the hash of its content.
      immutable: true,
      maxAge: '365d',
      // The build has left a .br and a .gz beside what is worth it.
      preCompressed: true,
    })
    await app.register(fastifyStatic, {
      root: webRoot,
      prefix: '/',
      decorateReply: false,
      index: false,
      wildcard: false,
      globIgnore: ['assets/**', 'index.html', '.*'],
    })
  }
  app.setNotFoundHandler((request, reply) => {
    if (page && wantsPage(request)) {
      const html = page.replace(PLACEHOLDER, () => settingsBlock(settingsFor(request)))
      return reply
        .header('Cache-Control', 'no-cache')
        .header('Vary', 'Accept')
        .type('text/html; charset=utf-8')
        .send(html)
    }
    const texts = request.url.startsWith('/auth/') ? GENERAL_TEXTS.en : GENERAL_TEXTS.id
    return sendError(reply, new DomainError('not_found', texts.notFound))
  })
}
