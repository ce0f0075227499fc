import { describe, expect, it } from 'vitest'
import { addTallies, tallyLine, tallySuite } from './tally.mjs'

const vitestReport = (counts: object) => JSON.stringify({ numPassedTests: 0, numFailedTests: 0, ...counts })

describe('the tally of a suite', () => {
  it('takes the counts of a vitest report', () => {
    const report = vitestReport({ numPassedTests: 7, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 })
    expect(tallySuite({ runner: 'vitest', report, exitCode: 1 })).toEqual({ passed: 7, failed: 2, skipped: 2 })
  })

  it('takes the counts of a Playwright report, a flaky test having passed in the end', () => {
    const report = JSON.stringify({ stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 3 } })
    expect(tallySuite({ runner: 'playwright', report, exitCode: 1 })).toEqual({ passed: 6, failed: 1, skipped: 3 })
  })

  it('counts a suite that wrote no report, or half of one, as one failure', () => {
    const oneFailure = { passed: 0, failed: 1, skipped: 0 }
    expect(tallySuite({ runner: 'vitest', report: null, exitCode: 1 })).toEqual(oneFailure)
    expect(tallySuite({ runner: 'playwright', report: '{"stats": {"exp', exitCode: 0 })).toEqual(oneFailure)
  })

  it('counts a run that executed nothing as one failure, even when its runner is content', () => {
    const report = vitestReport({ numPendingTests: 4 })
    expect(tallySuite({ runner: 'vitest', report, exitCode: 0 })).toEqual({ passed: 0, failed: 1, skipped: 4 })
  })

  it('counts a crash outside any test, such as a file that cannot be loaded, as one failure', () => {
    const report = vitestReport({ numPassedTests: 9 })
    expect(tallySuite({ runner: 'vitest', report, exitCode: 1 })).toEqual({ passed: 9, failed: 1, skipped: 0 })
  })
})

describe('the last line', () => {
  it('sums the suites and names skipped tests only when there are some', () => {
    const sum = addTallies([
      { passed: 5, failed: 0, skipped: 0 },
      { passed: 2, failed: 1, skipped: 3 },
    ])
    expect(tallyLine(sum)).toBe('7 passed, 1 failed, 3 skipped')
    expect(tallyLine({ passed: 1, failed: 0, skipped: 0 })).toBe('1 passed, 0 failed')
  })
})
