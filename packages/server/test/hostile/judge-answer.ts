import { ERROR_CODES, type ErrorCode } from '@siarin/contracts/error-codes'
import { STATUS } from '../../src/http/error-answers.ts'
import type { HostileRequest } from './hostile-requests.ts'

export interface HostileAnswer {
  readonly status: number
  readonly contentType: string
  readonly text: string
  readonly ms: number
}

/** The longest that anybody waits is three seconds; asserted at five times that. */
export const LONGEST_MS = 5 * 3_000

/** What only somebody who looks into the program may know. */
const INNER_WORDS =
  /node_modules|node:internal|\bat [\w.<>]+ \(|\.[cm]?[jt]s:\d|sqlite|postgres|kysely|redis|ioredis|bullmq|fastify|FST_|busboy|zod|\bselect\b.+\bfrom\b|\binsert into\b|constraint failed|duplicate key|ENOENT|EACCES|ECONN|EMFILE|errno|syscall|TypeError|RangeError|SyntaxError|Error:|Invalid input|Too (?:big|small):|\[object |\/tmp\/|\/proc\/self|ffprobe|dataDir/i

const isErrorCode = (code: unknown): code is ErrorCode => (ERROR_CODES as readonly unknown[]).includes(code)

/** tus speaks a protocol of its own, with plain words. */
const speaksTus = ({ operation }: HostileRequest): boolean => operation.includes('/fitur/video/tus')
/** What is checked by a monitor, in its own words. */
const NOT_READY = 'not_ready'
/** Node answers 431 and the like for what never becomes a request. */
const PARSER_STATUSES = [408, 413, 431]

/** What is wrong with an answer; null: nothing. */
export function faultOf(request: HostileRequest, answer: HostileAnswer): string | null {
  const { status, contentType, text, ms } = answer
  if (ms > LONGEST_MS) return `took ${Math.round(ms)} ms`
  const isJson = contentType.includes('application/json')
  // A machine that is busy with other tests may not be; it names what it waits for.
  if (parsed(text)?.['code'] === NOT_READY) return null
  const words = isJson || status >= 400 ? wordsIn(text) : ''
  const inner = INNER_WORDS.exec(words)
  if (inner) return `says the inner word '${inner[0]}'`
  if (status >= 500 && speaksTus(request) && !isJson) return `status ${status}`
  if (status < 400) return isJson && !isDocument(request) && !isSuccess(text) ? 'a success without its shape' : null
  if (request.method === 'HEAD' || request.method === 'OPTIONS' || (speaksTus(request) && !isJson)) {
    return status === 500 ? 'status 500' : null
  }
  // A browser that asks for what is not there gets a page that says so.
  if (status === 404 && request.method === 'GET' && contentType.includes('text/html')) return pageFault(text)
  return errorFault(status, isJson, text)
}

const pageFault = (text: string): string | null =>
  text.includes('Page Not Found') ? null : 'status 404 with another page than the one that says so'

function errorFault(status: number, isJson: boolean, text: string): string | null {
  const body = isJson ? parsed(text) : null
  if (body === null || body['success'] !== false || typeof body['message'] !== 'string' || body['message'] === '') {
    return `status ${status} without the shape of an error`
  }
  const { code } = body
  if (!isErrorCode(code)) return `an undocumented code '${code}'`
  if (code === 'internal') return 'an internal error'
  return STATUS[code] === status || PARSER_STATUSES.includes(status) ? null : `status ${status} for ${code}`
}

const isDocument = ({ operation }: HostileRequest): boolean => /openapi|settings/.test(operation)

const isSuccess = (text: string): boolean => {
  if (text === '') return true
  const body = parsed(text)
  return body?.['success'] === true && typeof body['message'] === 'string'
}

/** Only what we say ourselves: lists repeat what people have typed. */
const wordsIn = (text: string): string => {
  const body = parsed(text)
  return body === null ? text : `${body['message']} ${body['code'] ?? ''}`
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
