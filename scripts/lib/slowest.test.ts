import { describe, expect, it } from 'vitest'
import { fileTimes, slowestLines } from './slowest.mjs'

describe('how long each test file took', () => {
  it('is told by a vitest report', () => {
    const report = JSON.stringify({
      testResults: [{ name: '/p/packages/a.test.ts', startTime: 1_000, endTime: 3_500 }],
    })
    expect(fileTimes({ runner: 'vitest', report, root: '/p' })).toEqual([{ file: 'packages/a.test.ts', ms: 2_500 }])
  })

  it('is the sum of its tests, at whatever depth, in a Playwright report', () => {
    const spec = (...durations: number[]) => ({
      tests: durations.map((duration) => ({ results: [{ duration }] })),
    })
    const suites = [{ file: 'a.spec.ts', specs: [spec(10)], suites: [{ specs: [spec(20, 30)] }] }]
    const report = JSON.stringify({ suites })
    expect(fileTimes({ runner: 'playwright', report, root: '/p' })).toEqual([{ file: 'e2e/tests/a.spec.ts', ms: 60 }])
  })

  it.each(['vitest', 'playwright'])('is unknown where %s wrote no report, or half of one', (runner) => {
    expect(fileTimes({ runner, report: null, root: '/p' })).toEqual([])
    expect(fileTimes({ runner, report: '{"suites": [', root: '/p' })).toEqual([])
    expect(fileTimes({ runner, report: '{}', root: '/p' })).toEqual([])
  })
})

describe('the files that took longest', () => {
  it('come first, and no more than were asked for', () => {
    const times = [5, 40, 300, 12_345].map((ms) => ({ file: `${ms}.ts`, ms }))
    expect(slowestLines(times, 2)).toEqual(['   12.3 s  12345.ts', '    0.3 s  300.ts'])
    expect(times[0]?.ms).toBe(5)
  })
})
