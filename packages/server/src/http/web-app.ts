import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { PublicSettings } from '@siarin/contracts/settings'
import { GENERAL_TEXTS } from '@siarin/contracts/texts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../errors.ts'
import { type BuiltPages, readBuiltPages, type ServedPage } from './built-pages.ts'
import { sendError } from './error-answers.ts'
import { createFilledPages, type PageEncoding } from './filled-pages.ts'
import { robotsText, sitemapXml, webManifest } from './site-files.ts'

const ASSETS = '/assets/'
/** Programs call these: at an address of theirs that does not exist, only a browser gets a page. */
const CALLS = ['/auth/', '/fitur/', '/articles/']

type SettingsOf = (request: FastifyRequest) => PublicSettings

const pathnameOf = ({ url }: FastifyRequest): string => url.split(/[?#]/, 1)[0] ?? url

/** Who comes to a page that does not exist gets words to read, unless it is a program's call or a file. */
function wantsHtml(request: FastifyRequest): boolean {
  // A file of an older build is gone: a page in its place would only confuse.
  if (request.url.startsWith(ASSETS)) return false
  const accept = request.headers.accept ?? '*/*'
  if (accept.includes('text/html')) return true
  return accept.includes('*/*') && !CALLS.some((prefix) => request.url.startsWith(prefix))
}

/** The best that a browser takes of what we have; an encoding that it refuses has `q=0`. */
function encodingFor(request: FastifyRequest): PageEncoding {
  const accepted = String(request.headers['accept-encoding'] ?? '').toLowerCase()
  const takes = (name: string): boolean =>
    new RegExp(`(?:^|,)\\s*${name}\\s*(?:;(?!\\s*q=0(?:\\.0*)?\\s*(?:,|$))|,|$)`).test(accepted)
  if (takes('br')) return 'br'
  return takes('gzip') ? 'gzip' : 'identity'
}

/** To split at commas and the spaces around them would take the square of the spaces that somebody sends. */
const namesTag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => tag.trim() === etag) ?? false

function pageSender(settingsFor: SettingsOf) {
  const fill = createFilledPages()
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    page: ServedPage,
    status: number,
  ): Promise<FastifyReply> => {
    const filled = fill(page, settingsFor(request))
    reply
      .header('Cache-Control', 'no-cache')
      .header('Vary', status === 200 && !reply.hasHeader('Vary') ? 'Accept-Encoding' : 'Accept, Accept-Encoding')
    if (status === 200) {
      reply.header('ETag', filled.etag)
      if (namesTag(request.headers['if-none-match'], filled.etag)) return reply.code(304).send()
    }
    const encoding = encodingFor(request)
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding)
    return reply
      .code(status)
      .type('text/html; charset=utf-8')
      .send(await filled.encoded(encoding))
  }
}

/** Without PUBLIC_URL the visitor's own words name the server: no cache may hand that to somebody else. */
const keptByNobody = (reply: FastifyReply): FastifyReply => reply.header('Cache-Control', 'no-store')

/** What robots and phones ask for beside the pages. It names the server, so no file can hold it. */
function serveSiteFiles(app: FastifyInstance, pages: BuiltPages, settingsFor: SettingsOf): void {
  const hidden = { schema: { hide: true } }
  app.get('/robots.txt', hidden, (request, reply) =>
    keptByNobody(reply)
      .type('text/plain; charset=utf-8')
      .send(robotsText(settingsFor(request).server)),
  )
  app.get('/sitemap.xml', hidden, (request, reply) =>
    keptByNobody(reply)
      .type('application/xml; charset=utf-8')
      .send(sitemapXml(settingsFor(request).server, pages.listed)),
  )
  app.get('/manifest.webmanifest', hidden, (request, reply) =>
    reply.type('application/manifest+json; charset=utf-8').send(JSON.stringify(webManifest(settingsFor(request)))),
  )
}

async function serveFiles(app: FastifyInstance, webRoot: string): Promise<void> {
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
    globIgnore: ['assets/**', 'pages/**', 'index.html', '.*'],
  })
}

/** The built pages and their files. An address that neither a call nor a page has is not found. */
export async function serveWebApp(
  app: FastifyInstance,
  webRoot: string | null,
  settings: Omit<PublicSettings, 'server' | 'year'>,
  serverOf: (request: FastifyRequest) => string,
): Promise<void> {
  const settingsFor: SettingsOf = (request) => ({
    ...settings,
    server: serverOf(request),
    year: new Date().getFullYear(),
  })
  app.get('/settings', { schema: { hide: true } }, async (request, reply) => {
    keptByNobody(reply)
    return settingsFor(request)
  })

  const switches = { sendsMail: settings.sendsMail, hasChat: settings.whatsappNumber !== '' }
  const pages = webRoot ? await readBuiltPages(webRoot, switches) : null
  if (webRoot && pages) {
    await serveFiles(app, webRoot)
    serveSiteFiles(app, pages, settingsFor)
  }
  const sendPage = pageSender(settingsFor)
  app.setNotFoundHandler((request, reply) => {
    if (pages && (request.method === 'GET' || request.method === 'HEAD')) {
      const page = pages.find(pathnameOf(request))
      const wantsPage = wantsHtml(request)
      // What stands for an id may be anything: there, a program that has mistaken the address of a call is told so.
      if (page && (wantsPage || !page.path.includes('/:'))) return sendPage(request, reply, page, 200)
      if (wantsPage) return sendPage(request, reply, pages.notFound, 404)
    }
    const texts = request.url.startsWith('/auth/') ? GENERAL_TEXTS.en : GENERAL_TEXTS.id
    return sendError(reply, new DomainError('not_found', texts.notFound))
  })
}
