const count = (value) => (Number.isInteger(value) ? value : 0)

const fromVitest = (report) => ({
  passed: count(report.numPassedTests),
  failed: count(report.numFailedTests),
  skipped: count(report.numPendingTests) + count(report.numTodoTests),
})

/** A flaky test failed once and then passed: CI tries once more, and the list reporter names it. */
const fromPlaywright = ({ stats = {} }) => ({
  passed: count(stats.expected) + count(stats.flaky),
  failed: count(stats.unexpected),
  skipped: count(stats.skipped),
})

const READERS = { vitest: fromVitest, playwright: fromPlaywright }

/**
 * What a suite counts for. `report` is the text of its JSON report, or null when it wrote none. A suite that crashed, or
 * that ran no test at all, is one failure: silence must never look like success.
 */
export function tallySuite({ runner, report, exitCode }) {
  const tally = READERS[runner](parse(report))
  const silent = tally.passed + tally.failed === 0
  const crashed = exitCode !== 0 && tally.failed === 0
  return silent || crashed ? { ...tally, failed: tally.failed + 1 } : tally
}

function parse(report) {
  try {
    return JSON.parse(report ?? '') ?? {}
  } catch {
    return {}
  }
}

export const addTallies = (tallies) =>
  tallies.reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  )

export const tallyLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
