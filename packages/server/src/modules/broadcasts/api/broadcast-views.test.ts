import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stateOfAll } from './broadcast-views.ts'
import { cursorAfter, readCursor } from './cursor.ts'

describe('the state of a broadcast', () => {
  it('is that of the stream that is furthest on, and it is over when all of them are', () => {
    expect(stateOfAll(['waiting', 'live', 'ended'])).toBe('live')
    expect(stateOfAll(['ended', 'queued', 'waiting'])).toBe('waiting')
    expect(stateOfAll(['stopping', 'ended'])).toBe('stopping')
    expect(stateOfAll(['ended', 'ended'])).toBe('ended')
    expect(stateOfAll([])).toBe('ended')
  })
})

describe('a cursor', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(fc.nat(), fc.uuid(), (createdAt, id) => {
        expect(readCursor(cursorAfter({ createdAt, id }))).toEqual({ createdAt, id })
      }),
    )
  })

  it('is refused with words whatever else comes', () => {
    const shapes = fc.oneof(
      fc.tuple(fc.string(), fc.string()),
      fc.tuple(fc.nat()),
      fc.tuple(fc.nat(), fc.nat()),
      fc.constant([1, 'a\0b']),
      fc.constant([1.5, 'a']),
      fc.constant(null),
      fc.string(),
    )
    const packed = shapes.map((shape) => Buffer.from(JSON.stringify(shape)).toString('base64url'))
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 5 }), packed), (text) => {
        expect(() => readCursor(text)).toThrow('Cursor tidak valid')
      }),
    )
  })
})
