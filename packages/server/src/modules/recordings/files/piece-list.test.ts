import { describe, expect, it } from 'vitest'
import { finishedPieces, isBehindLoss, parsePieceList, piecesInTime } from './piece-list.ts'

const file = (name: string) => ({ name, bytes: 188 })
const LISTED = parsePieceList('000000.ts,0.000000,10.000000\n000001.ts,10.000000,20.040000\n000002.ts,20.040000,30.0\n')

describe('[REC-02] the list that ffmpeg writes of its pieces', () => {
  it('counts line by line, as far as they are whole', () => {
    expect([...parsePieceList('07.ts,0,1\n000003.ts,30.5,40.000000\r\nnonsense\n000004.ts,40,5').entries()]).toEqual([
      ['000003.ts', { start: 30.5, end: 40 }],
    ])
    expect(parsePieceList('')).toEqual(new Map())
  })

  it('says what is finished while it goes on: never the newest', () => {
    const files = ['000001.ts', '000000.ts', '000002.ts'].map(file)
    expect(finishedPieces(files, LISTED, { isRunning: true }).map(({ name }) => name)).toEqual([
      '000000.ts',
      '000001.ts',
    ])
    // Its line may come a moment before its last bytes.
    expect(finishedPieces([file('000002.ts')], LISTED, { isRunning: true })).toEqual([])
    expect(finishedPieces([file('000003.ts'), file('000004.ts')], LISTED, { isRunning: true })).toEqual([])
  })

  it('leaves the last one to be measured where ffmpeg was killed, and says where it begins', () => {
    const files = ['000002.ts', '000003.ts'].map(file)
    expect(finishedPieces(files, LISTED, { isRunning: false })).toEqual([
      { name: '000002.ts', bytes: 188, start: 20.04, end: 30 },
      { name: '000003.ts', bytes: 188, start: 30, end: null },
    ])
    // Those before it were taken already.
    expect(finishedPieces([file('000003.ts')], LISTED, { isRunning: false })[0]?.start).toBe(30)
    expect(finishedPieces([file('000000.ts')], new Map(), { isRunning: false })[0]).toMatchObject({
      start: 0,
      end: null,
    })
  })

  it('keeps its order past a million pieces', () => {
    const files = ['1000000.ts', '999999.ts'].map(file)
    expect(finishedPieces(files, new Map(), { isRunning: false }).map(({ name }) => name)).toEqual([
      '999999.ts',
      '1000000.ts',
    ])
  })

  it('keeps nothing from the first time on that cannot be true', () => {
    const kept = (lines: string, seconds: number): number => {
      const listed = parsePieceList(lines)
      return piecesInTime(finishedPieces([...listed.keys()].map(file), listed, { isRunning: false }), {
        listed,
        seconds,
      }).length
    }
    const sound = '000000.ts,0.0,10.0\n000001.ts,10.0,20.0\n'
    expect(kept(`${sound}000002.ts,20.0,30.0\n`, 30)).toBe(3)
    expect(kept(`${sound}000002.ts,85.0,90.0\n`, 30)).toBe(3)
    expect(kept(`${sound}000002.ts,214748364.7,214748364.7\n000003.ts,20.0,30.0\n`, 30)).toBe(2)
    expect(kept(`${sound}000002.ts,20.0,214748364.7\n`, 30)).toBe(2)
    expect(kept('000000.ts,43200.0,43210.0\n000001.ts,10.0,20.0\n', 50_000)).toBe(1)
  })

  it('tells a disk that was too slow from a source that has gaps', () => {
    expect(isBehindLoss({ name: '000003.ts', start: 39 }, LISTED)).toBe(false)
    expect(isBehindLoss({ name: '000003.ts', start: 45 }, LISTED)).toBe(true)
    expect(isBehindLoss({ name: '000000.ts', start: 45 }, LISTED)).toBe(false)
  })
})
