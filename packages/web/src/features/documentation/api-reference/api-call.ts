export interface ApiField {
  readonly name: string
  readonly note: string
  readonly optional?: boolean
}

/** One call as the API article shows it. A test holds these against the server's own description of itself. */
export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As in openapi.json: '/fitur/video/{filename}'. */
  readonly path: string
  readonly what: string
  /** What the caller shows: the API key, a session's token, or nothing. */
  readonly access: 'key' | 'session' | 'nothing'
  /** Fields of the JSON body. */
  readonly fields?: readonly ApiField[]
  /** What the answer carries beside `success` and `message`. */
  readonly answer?: string
  readonly example?: ApiExample
}

interface ApiExample {
  /** For the places in the path. */
  readonly places?: Readonly<Record<string, string>>
  readonly body?: object
  /** A field of a multipart form with the file that it sends. */
  readonly file?: readonly [field: string, file: string]
  readonly flags?: readonly string[]
  readonly answer?: object
}

export interface ApiGroup {
  readonly id: string
  readonly title: string
  readonly lead: string
  readonly calls: readonly ApiCall[]
}

const ACCESS_FLAGS: Record<ApiCall['access'], readonly string[]> = {
  key: [`-H "X-API-Key: $API_KEY"`],
  session: [`-H "Authorization: Bearer $TOKEN"`],
  nothing: [],
}

/** A quote inside single quotes ends them for a moment. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const address = (server: string, { path, example }: ApiCall): string =>
  server + path.replace(/\{(\w+)\}/g, (_, place: string) => encodeURIComponent(example?.places?.[place] ?? place))

/** What fits into a line of the page. */
const LINE_LENGTH = 80
/** Servers have names of any length; a prerendered page breaks its lines before it knows which one. */
const USUAL_SERVER_LENGTH = 'https://siarin.co.id'.length

/** JSON on one line where that fits, else each of its parts on a line of its own. */
function laidOut(value: unknown, indent = ''): string {
  const line = JSON.stringify(value)
  if (indent.length + line.length <= LINE_LENGTH || typeof value !== 'object' || value === null) return line
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const parts = Object.entries(value).map(([name, one]) => (isList ? '' : `"${name}": `) + laidOut(one, inner))
  const [open, close] = isList ? '[]' : '{}'
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`
}

/** The command that makes the example call: on one line, or with one option on each. */
export function curlOf(call: ApiCall, server: string): string {
  const { method, access, example } = call
  const sendsBody = example?.body !== undefined || example?.file !== undefined
  const parts = [
    // curl itself chooses POST as soon as there is a body.
    ['PUT', 'PATCH', 'DELETE'].includes(method) || (method === 'POST' && !sendsBody) ? `curl -X ${method}` : 'curl',
    ...(example?.flags ?? []),
    ...ACCESS_FLAGS[access],
    ...(example?.body ? [`-H 'Content-Type: application/json'`, `-d ${quoted(laidOut(example.body))}`] : []),
    ...(example?.file ? [`-F ${example.file[0]}=@${example.file[1]}`] : []),
    address(server, call),
  ]
  const line = parts.join(' ')
  return line.length - server.length + USUAL_SERVER_LENGTH <= LINE_LENGTH ? line : parts.join(' \\\n  ')
}
