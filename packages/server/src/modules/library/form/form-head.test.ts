import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHeadReader, type FilePart } from './form-head.ts'
import type { PartReader } from './part-end.ts'

const BOUNDARY = 'b'

interface Read {
  readonly file: FilePart | null
  readonly content: Buffer
  readonly hasEnded: boolean
}

/** Reads a form that comes in these pieces, as far as the end of its file. */
function readForm(pieces: readonly Buffer[], boundary = BOUNDARY): Read {
  const readHead = createHeadReader(boundary)
  let file: FilePart | null = null
  let read: PartReader | null = null
  const content: Buffer[] = []
  for (const piece of pieces) {
    let bytes: Buffer = piece
    if (!read) {
      const verdict = readHead(piece)
      if (verdict.kind === 'more') continue
      if (verdict.kind === 'no-file') return { file: null, content: Buffer.alloc(0), hasEnded: true }
      file = verdict.file
      read = verdict.read
      bytes = verdict.first
    }
    const part = read(bytes)
    content.push(part.content)
    if (part.rest) return { file, content: Buffer.concat(content), hasEnded: true }
  }
  return { file, content: Buffer.concat(content), hasEnded: false }
}

const text = (...lines: string[]) => Buffer.from(lines.join('\r\n'), 'latin1')
const FILE_HEADERS = 'Content-Disposition: form-data; name="video"; filename="klip.mp4"'
const fileForm = (content: Buffer): Buffer =>
  Buffer.concat([text(`--${BOUNDARY}`, FILE_HEADERS, '', ''), content, text('', `--${BOUNDARY}--`, '')])

/** Cut at these places, which may be anywhere. */
function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [0, ...at.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end))
}

/** Full of what a delimiter is made of. */
const anyContent = fc
  .array(fc.constantFrom('\r', '\n', '-', 'b', '\r\n', '\r\n-', '\r\n--', '--b', 'x', '\0'), { maxLength: 40 })
  .map((parts) => Buffer.from(parts.join('')))
  .filter((content) => !Buffer.concat([Buffer.from('\r\n'), content]).includes('\r\n--b'))

describe('the file of a form', () => {
  it('is what was sent, wherever the network cuts it', () => {
    fc.assert(
      fc.property(anyContent, fc.array(fc.nat(), { maxLength: 12 }), (content, at) => {
        const read = readForm(cut(fileForm(content), at))
        expect(read).toEqual({ file: { fieldname: 'video', filename: 'klip.mp4' }, content, hasEnded: true })
      }),
      { numRuns: 500 },
    )
  })

  it('that comes byte by byte is the same', () => {
    const content = Buffer.from('\r\n--\r\n-\r\r\n--c\r\n')
    expect(readForm([...fileForm(content)].map((byte) => Buffer.of(byte)))).toMatchObject({ content, hasEnded: true })
  })

  it('has not ended where its delimiter has not come', () => {
    const form = fileForm(Buffer.from('abc'))
    expect(readForm([form.subarray(0, -6)])).toMatchObject({ hasEnded: false, content: Buffer.from('abc') })
  })

  it('may be empty, with a line of its own or without', () => {
    for (const end of ['\r\n--b--', '--b--']) {
      const form = Buffer.concat([text('--b', FILE_HEADERS, '', ''), Buffer.from(end)])
      expect(readForm([form])).toMatchObject({ content: Buffer.alloc(0), hasEnded: true })
    }
  })

  it('comes after other fields and a preamble', () => {
    const before = text('nobody reads this', '--b', 'Content-Disposition: form-data; name="note"', '', 'a\r\n\r\nb', '')
    expect(readForm([before, fileForm(Buffer.from('abc'))])).toMatchObject({
      file: { fieldname: 'video' },
      content: Buffer.from('abc'),
    })
  })

  it.each([
    ['in quotes', 'filename="a \\"b\\".mp4"', 'a "b".mp4'],
    ['in UTF-8', `filename="${Buffer.from('Liburan 🏖️.mp4').toString('latin1')}"`, 'Liburan 🏖️.mp4'],
    ['encoded', "filename*=UTF-8''Bali%20%E2%82%AC.mp4", 'Bali €.mp4'],
    ['with a path', 'filename="C:\\\\films\\\\a.mp4"', 'a.mp4'],
    ['empty', 'filename=""', ''],
  ])('has a name %s', (_, filename, expected) => {
    const form = text('--b', `Content-Disposition: form-data; name="video"; ${filename}`, '', 'x', '--b--')
    expect(readForm([form]).file).toEqual({ fieldname: 'video', filename: expected })
  })
})

describe('a form without a file', () => {
  it.each([
    ['that has ended', text('--b', 'Content-Disposition: form-data; name="video"', '', 'x', '--b--', '')],
    ['that is nothing but an end', text('--b--', '')],
    ['of a part without headers', text('--b', '', '--b--')],
    ['of parts without number', Buffer.concat(Array.from({ length: 30 }, () => text('--b', 'a: b', '', 'x', '')))],
    ['of one endless header', text('--b', `a: ${'x'.repeat(70_000)}`)],
    ['of one endless field', text('--b', 'a: b', '', 'x'.repeat(70_000))],
    ['of an endless preamble', text('x'.repeat(70_000))],
  ])('%s has none', (_, form) => {
    expect(readForm(cut(form, [1_000, 30_000, 60_000]))).toMatchObject({ file: null, hasEnded: true })
  })
})
