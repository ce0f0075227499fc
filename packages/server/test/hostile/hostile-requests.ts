import type { Chance } from './chance.ts'
import { anyText, anyValue, HEADERS } from './hostile-values.ts'

export interface Operation {
  readonly method: string
  readonly path: string
  /** The fields of a JSON body; empty where there is none. */
  readonly fields: readonly string[]
  readonly isForm: boolean
}

export interface HostileRequest {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Buffer | null
}

interface Schema {
  readonly properties?: object
}
interface OpenApi {
  readonly paths: Record<
    string,
    Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } } | undefined>
  >
}

/** Not in the document: for the page, the operator, or another protocol. */
const UNDESCRIBED: readonly (readonly [string, string])[] = [
  ['GET', '/healthz'],
  ['GET', '/readyz'],
  ['GET', '/metrics'],
  ['GET', '/settings'],
  ['GET', '/openapi.json'],
  ['GET', '/'],
  ['GET', '/assets/{name}'],
  ['GET', '/articles/views'],
  ['POST', '/articles/{slug}/views'],
  ['GET', '/fitur/online/preview/{ticket}/{name}'],
  ['POST', '/fitur/video/tus'],
  ['PATCH', '/fitur/video/tus/{id}'],
  ['HEAD', '/fitur/video/tus/{id}'],
  ['DELETE', '/fitur/video/tus/{id}'],
  ['GET', '/{anything}'],
]

export function operationsOf(document: OpenApi): Operation[] {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]): Operation => {
      const content = call?.requestBody?.content ?? {}
      return {
        method: method.toUpperCase(),
        path,
        fields: Object.keys(content['application/json']?.schema.properties ?? {}),
        isForm: path.endsWith('/upload'),
      }
    }),
  )
  const others = UNDESCRIBED.map(([method, path]): Operation => ({ method, path, fields: [], isForm: false }))
  return [...described, ...others]
}

export interface Identity {
  /** What it sends to be let in; the values are its own. */
  readonly credentials: Record<string, string>
  /** Names, ids and addresses that exist: its own, or somebody else's. */
  readonly real: readonly string[]
  /** A right value for the fields that have one. */
  readonly right: Record<string, unknown>
}

const OTHER_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
const ADDRESS_PARTS = 256

/** Each is made anew, so that no limit by address hides what lies behind it. */
const anyAddress = (chance: Chance): string => `10.${[0, 1, 2].map(() => chance.number(ADDRESS_PARTS)).join('.')}`

export function hostileRequest(chance: Chance, operation: Operation, identity: Identity): HostileRequest {
  const method = chance.percent(6) ? chance.pick(OTHER_METHODS) : operation.method
  const headers: Record<string, string> = { 'x-forwarded-for': anyAddress(chance) }
  if (chance.percent(92)) Object.assign(headers, identity.credentials)
  const body = bodyOf(chance, operation, identity, method, headers)
  for (let odd = chance.percent(50) ? chance.number(4) : 0; odd > 0; odd--) {
    const name = chance.pick(Object.keys(HEADERS))
    headers[name] = chance.pick(HEADERS[name] ?? [''])
  }
  return {
    operation: `${operation.method} ${operation.path}`,
    method,
    path: pathOf(chance, operation, identity) + queryOf(chance, identity),
    headers,
    body,
  }
}

function pathOf(chance: Chance, { path }: Operation, { real }: Identity): string {
  const filled = path.replace(/\{(\w+)\}/g, () => {
    const text = anyText(chance, real)
    // As it is, a few may travel in an address; the others are what a program makes of them.
    return chance.percent(20) && /^[\x21-\x7e]+$/.test(text) ? text.slice(0, 10_000) : encoded(text)
  })
  return chance.percent(2) ? `${filled}/${chance.pick(['', '..', '%2e%2e', '/', '%00', ';a=b'])}` : filled
}

/** Half of a character cannot be written as an address. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed()).slice(0, 12_000)

function queryOf(chance: Chance, { real }: Identity): string {
  if (chance.percent(75)) return ''
  const name = chance.pick(['apiKey', 'apiKey', 'apiKey[]', 'limit', '__proto__', '_HLS_msn', 'x'])
  const pairs = Array.from({ length: 1 + chance.number(3) }, () => `${name}=${encoded(anyText(chance, real))}`)
  return `?${pairs.join('&')}`
}

function bodyOf(
  chance: Chance,
  operation: Operation,
  identity: Identity,
  method: string,
  headers: Record<string, string>,
): Buffer | null {
  const carries = operation.fields.length > 0 || operation.isForm || operation.method === 'PATCH'
  if (method === 'HEAD' || method === 'TRACE' || (!carries && chance.percent(85))) return null
  if (operation.isForm && chance.percent(80)) return formOf(chance, identity, headers)
  headers['content-type'] = operation.method === 'PATCH' ? 'application/offset+octet-stream' : 'application/json'
  if (operation.path.startsWith('/fitur/video/tus')) headers['tus-resumable'] = '1.0.0'
  if (chance.percent(6)) {
    return Buffer.from(
      chance.pick(['', '{', '[]', 'null', '"x"', '1', '{"a":1,"a":2}', '{"__proto__":{}}', '\xff\xfe', '[[[[']),
    )
  }
  return Buffer.from(JSON.stringify(fieldsOf(chance, operation, identity)))
}

/** Mostly right, with some fields changed, left out or added: else nothing but the first check would ever be reached. */
function fieldsOf(chance: Chance, { fields }: Operation, { real, right }: Identity): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const field of fields) {
    if (chance.percent(8)) continue
    body[field] = chance.percent(55) && field in right ? right[field] : anyValue(chance, real)
  }
  if (chance.percent(10))
    body[chance.pick(['apiKey', 'id', 'userId', 'admin', 'constructor', ''])] = anyValue(chance, real)
  return body
}

function formOf(chance: Chance, { real }: Identity, headers: Record<string, string>): Buffer {
  const boundary = chance.pick(['x', 'x', 'x', '----WebKitFormBoundary', 'b'.repeat(200), "'()+_,-./:=?"])
  headers['content-type'] = `multipart/form-data; boundary=${boundary}`
  const name = chance.pick(['video', 'video', 'video', 'file', '__proto__', ''])
  const filename = anyText(chance, real)
    .replace(/[\r\n"]/g, '_')
    .slice(0, 2_000)
  const head = chance.pick([
    `content-disposition: form-data; name="${name}"; filename="${filename}"\r\n`,
    `content-disposition: form-data; name="${name}"\r\n`,
    'content-disposition: nonsense\r\n',
    '',
    `${'x'.repeat(300)}: y\r\n`.repeat(20),
  ])
  const content = chance.pick(['', 'not a video', '\0'.repeat(1_000), '#EXTM3U\nfile:///etc/passwd\n', 'RIFF....AVI '])
  const end = chance.pick([`\r\n--${boundary}--\r\n`, `\r\n--${boundary}--`, '', '\r\n--y--\r\n', `--${boundary}--`])
  return Buffer.from(`--${boundary}\r\n${head}\r\n${content}${end}`, 'latin1')
}
