import type { IncomingMessage } from 'node:http'
import { finished, Readable, type Writable } from 'node:stream'
import { ERRORS } from '@tus/utils'

/**
 * A request as tus gets it: whole but for the bytes of its body, which ends or breaks when the real one does. tus would hand every piece
 * through a web stream and three Node streams, at several times the cost of writing it; the store pours the real one instead.
 */
export function withoutBytes(request: IncomingMessage): IncomingMessage {
  const { method, url, headers, rawHeaders, httpVersion, socket } = request
  const twin = new Readable({ read() {} })
  // After its answer nobody listens any more.
  twin.on('error', () => {})
  finished(request, { writable: false }, (error) => {
    if (error) twin.destroy(error)
    else twin.push(null)
  })
  return Object.assign(twin, { method, url, headers, rawHeaders, httpVersion, socket }) as unknown as IncomingMessage
}

/** tus's own are none, and its store waits for ever for a body that was destroyed without one. */
const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error('the body was refused', { cause: error })

interface Pouring {
  /** Refuses the byte after so many. */
  readonly most: number
  /** Ends when the bytes have, and earlier when somebody else wants to go on with this upload. */
  readonly until: Readable
}

/** Writes a body to a file. One that breaks off is no fault: what has come is kept. The body is never destroyed, its sender gets an answer. */
export function pour(body: Readable, file: Writable, { most, until }: Pouring): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = most
    function take(piece: Buffer): void {
      left -= piece.length
      if (left < 0) settle(ERRORS.ERR_MAX_SIZE_EXCEEDED)
      else if (!file.write(piece)) body.pause()
    }
    const goOn = () => void body.resume()
    const end = () => void file.end()
    const stopWatching = [
      finished(body, { writable: false }, end),
      finished(until.resume(), { writable: false }, end),
      finished(file, { readable: false }, (error) => settle(error)),
    ]
    function settle(error?: unknown): void {
      for (const stop of stopWatching) stop()
      body.off('data', take)
      // What else comes is let go.
      body.resume()
      if (!error) {
        resolve()
        return
      }
      // A write may be under way: it fails with nobody else to hear it, and until it has ended the next request must not begin.
      finished(file.destroy(asError(error)), { readable: false }, () => reject(error))
    }
    file.on('drain', goOn)
    body.on('data', take)
  })
}
