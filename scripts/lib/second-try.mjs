import { relative } from 'node:path'

/** More than a busy machine brings about: so many are broken. */
const MOST_FILES = 8

const fromVitest = (report, root) =>
  (report.testResults ?? [])
    .map(({ name, status, assertionResults = [] }) => ({
      file: relative(root, name),
      failed: assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName),
      status,
    }))
    .filter(({ failed, status }) => failed.length > 0 || status === 'failed')
    // Where what its tests begin or end with failed, none of them did: it counts by its name, as in the tally.
    .map(({ file, failed }) => ({ file, titles: failed.length > 0 ? failed : [file] }))

const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]

/** By line: a file of browser tests is long, and its tests stand for themselves. */
const fromPlaywright = (report) => {
  const failed = (report.suites ?? []).flatMap(specsOf).filter(({ ok }) => ok === false)
  const places = new Set(failed.map(({ file, line }) => `tests/${file}:${line}`))
  return [...places].map((place) => ({
    file: place,
    titles: failed.filter(({ file, line }) => place === `tests/${file}:${line}`).map(({ title }) => title),
  }))
}

const READERS = { vitest: fromVitest, playwright: fromPlaywright }

/**
 * What is worth a second try, alone on the machine, of a suite that ran beside others: a few tests that failed. `null`: nothing, for
 * nothing failed, or so much that it is no matter of time.
 */
export function secondTry({ runner, report, root }) {
  let failed
  try {
    failed = READERS[runner](JSON.parse(report ?? '') ?? {}, root)
  } catch {
    return null
  }
  const isWorthIt = failed.length > 0 && failed.length <= MOST_FILES
  return isWorthIt ? { files: failed.map(({ file }) => file), titles: failed.flatMap(({ titles }) => titles) } : null
}

/**
 * The count of a suite after its second try: what passed in either has passed. The files are tried whole, so tests of theirs that passed
 * beside the others run again too. `again`: what failed in the second try; null where that is not known, then all of its failures count.
 */
export function tallyAfter(first, second, again = null) {
  const failedTwice = again ? again.filter((title) => first.titles.includes(title)).length : second.failed
  const failed = Math.min(first.tally.failed, failedTwice)
  return { ...first.tally, failed, passed: first.tally.passed + first.tally.failed - failed }
}
