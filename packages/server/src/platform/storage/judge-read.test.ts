import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FileFacts, judgeRead } from './judge-read.ts'

const FILE: FileFacts = { bytes: 100, etag: 'W/"64-1"', modifiedAt: new Date('2026-03-01T10:00:00.700Z') }
const SAME_SECOND = 'Sun, 01 Mar 2026 10:00:00 GMT'
const SECOND_BEFORE = 'Sun, 01 Mar 2026 09:59:59 GMT'

describe('what a reader gets of a file', () => {
  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=10-', 10, 99],
    ['bytes=-1', 99, 99],
    ['bytes=-100', 0, 99],
    ['bytes=-999999999', 0, 99],
    ['bytes=90-1000', 90, 99],
    ['bytes=20-29,0-19', 0, 29],
    ['bytes=5-9,200-300', 5, 9],
  ])('is one part: %s', (range, start, end) => {
    expect(judgeRead(FILE, { range })).toEqual({ kind: 'part', range: { start, end } })
  })

  it.each([
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=-', 'unsatisfiable'],
    ['bytes=9-8', 'unsatisfiable'],
    ['bytes=a-b', 'unsatisfiable'],
    ['bytes=0-1,5-6', 'whole'],
    ['pages=1-2', 'whole'],
  ])('is no part where the range is none, or several: %s', (range, kind) => {
    expect(judgeRead(FILE, { range })).toEqual({ kind })
  })

  it('is judged by whole seconds, as the dates of HTTP are', () => {
    expect(judgeRead(FILE, { ifModifiedSince: SAME_SECOND }).kind).toBe('not-modified')
    expect(judgeRead(FILE, { ifModifiedSince: SECOND_BEFORE }).kind).toBe('whole')
    expect(judgeRead(FILE, { ifUnmodifiedSince: SAME_SECOND }).kind).toBe('whole')
    expect(judgeRead(FILE, { ifUnmodifiedSince: SECOND_BEFORE }).kind).toBe('precondition-failed')
    expect(judgeRead(FILE, { ifUnmodifiedSince: 'yesterday', ifModifiedSince: 'never' }).kind).toBe('whole')
  })

  it('is nothing where it has changed, before all else, and then nothing where the reader has it', () => {
    const all = { range: 'bytes=0-1', ifNoneMatch: FILE.etag }
    expect(judgeRead(FILE, { ...all, ifMatch: '"other"' }).kind).toBe('precondition-failed')
    expect(judgeRead(FILE, { ...all, ifMatch: '"64-1"' }).kind).toBe('not-modified')
    expect(judgeRead(FILE, { ...all, ifNoneMatch: '"other"' }).kind).toBe('part')
  })

  it('lies within the file, whatever range is asked for', () => {
    const position = fc.oneof(fc.nat(), fc.constant(''))
    const ranges = fc.array(fc.tuple(position, position), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.nat(1_000), ranges, (bytes, asked) => {
        const range = `bytes=${asked.map(([from, to]) => `${from}-${to}`).join(',')}`
        const verdict = judgeRead({ ...FILE, bytes }, { range })
        if (verdict.kind !== 'part') return
        expect(verdict.range.start).toBeGreaterThanOrEqual(0)
        expect(verdict.range.start).toBeLessThanOrEqual(verdict.range.end)
        expect(verdict.range.end).toBeLessThan(bytes)
      }),
    )
  })
})
