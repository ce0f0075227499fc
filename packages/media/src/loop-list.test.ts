import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loopListText, parseLoopList } from './loop-list.ts'

const list = { seconds: 6.037334, startSeconds: 0, outpoint: null, bodySeconds: null }
const SAFE = 'option protocol_whitelist file\noption format_whitelist mov,matroska,mpegts,flv\n'

describe('the list behind a slot', () => {
  it('tells how long a pass lasts, and opens nothing but a file of that kind', () => {
    expect(loopListText(list, '/data/a.mp4', null)).toBe(
      `ffconcat version 1.0\nfile '/data/a.mp4'\n${SAFE}duration 6.037334\n`,
    )
  })

  it('cuts what outlasts the picture', () => {
    expect(loopListText({ ...list, outpoint: 5.98 }, '/a.mp4', null)).toContain('outpoint 5.980000\nduration 6.037334')
  })

  it('goes on with a tail', () => {
    const text = loopListText({ ...list, outpoint: 4.9, bodySeconds: 5 }, '/a.mp4', '/tail.mp4')
    expect(text).toBe(
      `ffconcat version 1.0\nfile '/a.mp4'\n${SAFE}outpoint 4.900000\nduration 5.000000\nfile '/tail.mp4'\n${SAFE}duration 1.037334\n`,
    )
  })

  it('names a file with a quote in its path, and none with a line break', () => {
    expect(loopListText(list, "/it's/a.mp4", null)).toContain("file '/it'\\''s/a.mp4'\n")
    expect(() => loopListText(list, '/a\nfile /etc/passwd', null)).toThrow('line break')
  })
})

describe('a list in a row', () => {
  it('is read as it was written', () => {
    const number = fc.double({ min: -10, max: 1e6, noNaN: true }).map((value) => value + 0)
    const lists = fc.record({
      ...{ seconds: number, startSeconds: number },
      ...{ outpoint: fc.option(number), bodySeconds: fc.option(number) },
    })
    fc.assert(fc.property(lists, (one) => void expect(parseLoopList(JSON.stringify(one))).toEqual(one)))
  })

  it('is none where there is none', () => {
    expect(parseLoopList(null)).toBeNull()
    expect(parseLoopList('{}')).toBeNull()
  })
})
