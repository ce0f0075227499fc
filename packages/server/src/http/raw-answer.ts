import { STATUS_CODES } from 'node:http'
import type { ErrorCode } from '@siarin/contracts/error-codes'

/** For what never becomes a request of ours: in the shape of every other answer, and the last on its connection. */
export function rawAnswer(
  status: number,
  { code, message }: { code: ErrorCode; message: string },
  { headers = [], headOnly = false }: { headers?: readonly string[]; headOnly?: boolean } = {},
): string {
  const body = JSON.stringify({ success: false, message, code })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    ...headers,
  ]
  return `${head.join('\r\n')}\r\n\r\n${headOnly ? '' : body}`
}
