import { relative } from 'node:path'

/** A file's tests and hooks; what its worker did before it is nobody's. */
const fromVitest = (report, root) =>
  (report.testResults ?? []).map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    ms: endTime - startTime,
  }))

const resultsOf = (suite) => [
  ...(suite.specs ?? []).flatMap(({ tests = [] }) => tests.flatMap(({ results = [] }) => results)),
  ...(suite.suites ?? []).flatMap(resultsOf),
]

/** The tests of a file may run side by side: their times are added up. */
const fromPlaywright = (report) =>
  (report.suites ?? []).map((suite) => ({
    file: `e2e/tests/${suite.file}`,
    ms: resultsOf(suite).reduce((sum, { duration }) => sum + duration, 0),
  }))

const READERS = { vitest: fromVitest, playwright: fromPlaywright }

/** How long each test file took. `report` is the text of a suite's JSON report, or null when it wrote none. */
export function fileTimes({ runner, report, root }) {
  try {
    return READERS[runner](JSON.parse(report ?? '') ?? {}, root)
  } catch {
    return []
  }
}

/** The ones that took longest, a line for each. */
export const slowestLines = (times, count = 10) =>
  [...times]
    .sort((one, other) => other.ms - one.ms)
    .slice(0, count)
    .map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`)
