import type { IncomingMessage } from 'node:http'
import { finished, Readable } from 'node:stream'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../../errors.ts'
import { createHeadReader, type FilePart, type HeadVerdict } from './form-head.ts'

export interface FormFile extends FilePart {
  readonly bytes: Readable
}

/** RFC 2046 allows 70. */
const BOUNDARY_MAX = 200
const BOUNDARY = /;\s*boundary=(?:"([^"\r\n]+)"|([^\s;"]+))/i

const brokenForm = (cause?: unknown): DomainError => new DomainError('invalid_input', VIDEO_TEXTS.cutOff, { cause })

export const isForm = ({ headers }: IncomingMessage): boolean =>
  /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')

/**
 * The first file of a form, as soon as its headers are here; null where there is none. Its bytes are searched here for their end, piece by
 * piece as they come from the socket: the library's parser hands each piece through four streams, about an eighth of an upload's CPU.
 */
export function readFormFile(raw: IncomingMessage): Promise<FormFile | null> {
  const [, quoted, plain] = BOUNDARY.exec(raw.headers['content-type'] ?? '') ?? []
  const boundary = quoted ?? plain ?? ''
  if (boundary === '' || boundary.length > BOUNDARY_MAX) return Promise.reject(brokenForm())
  const read = createHeadReader(boundary)
  let isEmpty = true

  return new Promise((resolve, reject) => {
    const stopWatching = finished(raw, { writable: false }, (error) => {
      stop()
      if (!error && isEmpty) resolve(null)
      else reject(brokenForm(error))
    })
    function stop(): void {
      stopWatching()
      raw.off('data', take)
    }
    function take(piece: Buffer): void {
      isEmpty = false
      const verdict = read(piece)
      if (verdict.kind === 'more') return
      stop()
      if (verdict.kind === 'file') {
        raw.pause()
        resolve({ ...verdict.file, bytes: openBytes(raw, verdict) })
      } else resolve(null)
    }
    raw.on('data', take)
  })
}

/** Flows only as fast as it is read; once the file has ended, the rest of the form is let go. */
function openBytes(raw: IncomingMessage, { read, first }: Extract<HeadVerdict, { kind: 'file' }>): Readable {
  const bytes = new Readable({
    read: () => void raw.resume(),
    destroy(error, done) {
      stop()
      done(error)
    },
  })
  // Its reader may not be there yet when the connection breaks.
  bytes.on('error', () => {})
  const stopWatching = finished(raw, { writable: false }, (error) => bytes.destroy(error ?? brokenForm()))

  function stop(): void {
    stopWatching()
    raw.off('data', take)
  }
  function take(piece: Buffer): void {
    const { content, rest } = read(piece)
    const wantsMore = content.length === 0 || bytes.push(content)
    if (rest) {
      stop()
      bytes.push(null)
      raw.resume()
    } else if (!wantsMore) raw.pause()
  }
  raw.on('data', take)
  take(first)
  return bytes
}
