import { Busboy } from '@fastify/busboy'
import { createPartReader, delimiterOf, type PartReader } from './part-end.ts'

/** What the headers of a part say of a file. */
export interface FilePart {
  readonly fieldname: string
  readonly filename: string
}

export type HeadVerdict =
  | { readonly kind: 'more' }
  /** The form ended, or has more before its first file than a form of ours may have. */
  | { readonly kind: 'no-file' }
  /** `first`: what has come of its bytes. */
  | { readonly kind: 'file'; readonly file: FilePart; readonly read: PartReader; readonly first: Buffer }

/** The form has one field, the file. Others may stand before it, and are skipped; their sender decides how many and how large. */
const HEAD_BYTES_MAX = 64 * 1024
const PARTS_MAX = 21

const NOTHING = Buffer.alloc(0)
const HEADERS_END = Buffer.from('\r\n\r\n')
const FORM_END = Buffer.from('--')

/** Reads a form as far as the first byte of its first file. */
export function createHeadReader(boundary: string): (piece: Buffer) => HeadVerdict {
  const delimiter = delimiterOf(boundary)
  let read = createPartReader(delimiter)
  /** Null within a part that is skipped, or before the first. */
  let headers: Buffer | null = null
  let seen = 0
  let parts = 0

  /** Null: it needs more. */
  function step(piece: Buffer): HeadVerdict | { kind: 'on'; rest: Buffer } {
    if (headers === null) {
      const { rest } = read(piece)
      if (!rest) return { kind: 'more' }
      headers = NOTHING
      return { kind: 'on', rest }
    }
    headers = Buffer.concat([headers, piece])
    if (headers.subarray(0, FORM_END.length).equals(FORM_END)) return { kind: 'no-file' }
    const end = headers.indexOf(HEADERS_END)
    if (end === -1) return { kind: 'more' }
    if (++parts > PARTS_MAX) return { kind: 'no-file' }
    const file = filePartOf(headers.subarray(0, end))
    const rest = headers.subarray(end + HEADERS_END.length)
    headers = null
    read = createPartReader(delimiter)
    return file ? { kind: 'file', file, read, first: rest } : { kind: 'on', rest }
  }

  return (piece) => {
    seen += piece.length
    let verdict = step(piece)
    while (verdict.kind === 'on') verdict = step(verdict.rest)
    return verdict.kind === 'more' && seen > HEAD_BYTES_MAX ? { kind: 'no-file' } : verdict
  }
}

const SAMPLE = { start: Buffer.from('--part'), end: Buffer.from('\r\n\r\n\r\n--part--\r\n') }
const SAMPLE_HEADERS = { 'content-type': 'multipart/form-data; boundary=part' }

/** Names come quoted, escaped and in several character sets: the library reads them, from a form of this one part without its content. */
function filePartOf(headers: Buffer): FilePart | null {
  let file: FilePart | null = null
  const form = new Busboy({ headers: SAMPLE_HEADERS })
  form.on('file', (fieldname, content, filename) => {
    file = { fieldname: fieldname ?? '', filename: filename ?? '' }
    content.on('error', () => {}).resume()
  })
  form.on('error', () => {})
  form.end(Buffer.concat([SAMPLE.start, headers, SAMPLE.end]))
  return file
}
