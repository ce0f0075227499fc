import { describe, expect, it } from 'vitest'
import { secondTry, tallyAfter } from './second-try.mjs'

const test = (fullName: string, status = 'passed') => ({ fullName, status })
const file = (name: string, ...assertionResults: object[]) => ({ name: `/p/${name}`, assertionResults })
const vitest = (...testResults: object[]) =>
  secondTry({ runner: 'vitest', report: JSON.stringify({ testResults }), root: '/p' })

describe('a second try', () => {
  it('is for the files with tests that failed', () => {
    expect(vitest(file('a.test.ts', test('a one')), file('b.test.ts', test('b one', 'failed'), test('b two')))).toEqual(
      {
        files: ['b.test.ts'],
        titles: ['b one'],
      },
    )
  })

  it('takes browser tests by their line, at whatever depth, once for both sizes', () => {
    const spec = (line: number, ok: boolean) => ({ ok, title: `at ${line}`, file: 'a.spec.ts', line })
    const suites = [{ specs: [spec(3, true)], suites: [{ specs: [spec(9, false)] }, { specs: [spec(9, false)] }] }]
    expect(secondTry({ runner: 'playwright', report: JSON.stringify({ suites }), root: '/p' })).toEqual({
      files: ['tests/a.spec.ts:9'],
      titles: ['at 9', 'at 9'],
    })
  })

  it('is for a file whose tests could not begin, too, which fails again where that was no matter of time', () => {
    const broken = { ...file('a.test.ts', test('a one', 'skipped')), status: 'failed' }
    expect(vitest(broken)).toEqual({ files: ['a.test.ts'], titles: ['a.test.ts'] })
    const first = { tally: { passed: 7, failed: 1, skipped: 1 }, titles: ['a.test.ts'] }
    expect(tallyAfter(first, { passed: 0, failed: 1, skipped: 1 }, ['a.test.ts']).failed).toBe(1)
    expect(tallyAfter(first, { passed: 1, failed: 0, skipped: 0 }, []).failed).toBe(0)
  })

  it('is none where nothing failed, much failed or nothing is known', () => {
    expect(vitest(file('a.test.ts', test('a')))).toBeNull()
    expect(vitest(...Array.from({ length: 9 }, (_, n) => file(`${n}.test.ts`, test('x', 'failed'))))).toBeNull()
    expect(secondTry({ runner: 'vitest', report: null, root: '/p' })).toBeNull()
  })

  it('counts what passed in either, and leaves what failed in both', () => {
    const tally = { passed: 7, failed: 2, skipped: 1 }
    const first = { tally, titles: ['a', 'b'] }
    const second = (failed: number) => ({ passed: 5, failed, skipped: 0 })
    expect(tallyAfter(first, second(0), [])).toEqual({ passed: 9, failed: 0, skipped: 1 })
    expect(tallyAfter(first, second(1), ['b'])).toEqual({ passed: 8, failed: 1, skipped: 1 })
    expect(tallyAfter(first, second(1), ['c'])).toEqual({ passed: 9, failed: 0, skipped: 1 })
    expect(tallyAfter(first, second(2), ['b', 'c'])).toEqual({ passed: 8, failed: 1, skipped: 1 })
  })

  it('counts all failures of a second try whose titles are not known', () => {
    const first = { tally: { passed: 7, failed: 2, skipped: 1 }, titles: ['a', 'b'] }
    expect(tallyAfter(first, { passed: 0, failed: 9, skipped: 0 })).toEqual(first.tally)
  })
})
