import { Agent, type IncomingMessage, request as send } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import type { HostileRequest } from './hostile-requests.ts'
import { type HostileAnswer, LONGEST_MS } from './judge-answer.ts'

/** The description of the API is the longest. */
const MOST_TEXT_BYTES = 512 * 1024

/** The words of what is sent compressed are judged as well. */
function wordsOf(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']
  if (encoding === undefined) return response
  const reader = encoding === 'br' ? createBrotliDecompress() : createGunzip()
  response.once('error', (error) => reader.destroy(error))
  return response.pipe(reader)
}

/** Sends it as it is, and reads the answer: of one without an end, or a long one, the beginning. A fault of the connection is no answer. */
export function createSender(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const { hostname, port } = new URL(url)

  const once = ({ method, path, headers, body }: HostileRequest): Promise<HostileAnswer> =>
    new Promise((resolve, reject) => {
      const begun = performance.now()
      const length = body === null ? {} : { 'content-length': String(body.length) }
      const call = send({ hostname, port, method, path, headers: { ...headers, ...length }, agent })
      const late = setTimeout(() => call.destroy(new Error('no answer')), 2 * LONGEST_MS)
      call.once('error', (error) => {
        clearTimeout(late)
        reject(error)
      })
      call.once('response', (response) => {
        const ms = performance.now() - begun
        const contentType = response.headers['content-type'] ?? ''
        let text = ''
        const done = () => {
          clearTimeout(late)
          resolve({ status: response.statusCode ?? 0, contentType, text, ms })
        }
        const words = wordsOf(response)
        words.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
          if (text.length < MOST_TEXT_BYTES && !contentType.includes('event-stream')) return
          done()
          call.destroy()
        })
        words.once('end', done)
        words.once('error', done)
      })
      call.end(body ?? undefined)
    })

  return {
    /** A connection that the server has just closed says nothing about the request: it is sent once more on another. */
    async send(request: HostileRequest): Promise<HostileAnswer> {
      return once(request).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') throw error
        return once({ ...request, headers: { ...request.headers, connection: 'close' } })
      })
    },
    close: () => agent.destroy(),
  }
}
