import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChecks } from './lib/checks.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { runInForeground } from './lib/processes.mjs'
import { secondTry, tallyAfter } from './lib/second-try.mjs'
import { Fault, projectEnv, ROOT, runScript, say } from './lib/shell.mjs'
import { fileTimes, slowestLines } from './lib/slowest.mjs'
import { ensureBrowser, ensureSystem } from './lib/system.mjs'
import { addTallies, tallyLine, tallySuite } from './lib/tally.mjs'
import { ensureWebBuilt } from './lib/web-build.mjs'

const BIN = join(ROOT, 'node_modules', '.bin')

const vitest = (projects) => (reportFile, args) => ({
  command: join(BIN, 'vitest'),
  args: [
    'run',
    ...projects.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
    ...args,
  ],
  cwd: ROOT,
  env: projectEnv(),
})

const playwright = (reportFile, args) => ({
  command: join(BIN, 'playwright'),
  args: ['test', ...args],
  cwd: join(ROOT, 'e2e'),
  // Without a locale Chromium finds no file whose name is not plain ASCII, and some of ours are not.
  env: projectEnv({ SIARIN_E2E_REPORT: reportFile, LC_ALL: 'C.UTF-8' }),
})

const SUITES = {
  unit: {
    runner: 'vitest',
    // Some read files that ffmpeg makes for them.
    prepare: () => ensureSystem(['ffmpeg']),
    command: vitest(['unit', 'web']),
  },
  server: {
    runner: 'vitest',
    prepare: async () => {
      await ensureSystem(['ffmpeg', 'nginx', 'postgresql', 'redis', 'swift'])
      // The pages that the server fills in are made by the web app's build.
      await ensureWebBuilt()
    },
    command: vitest(['server']),
    beside: ['--maxWorkers=6'],
    alone: ['--maxWorkers=1'],
  },
  e2e: {
    runner: 'playwright',
    prepare: async () => {
      await ensureSystem(['ffmpeg', 'nginx'])
      await ensureBrowser()
      await ensureWebBuilt()
    },
    command: playwright,
    beside: ['--workers=2'],
    alone: ['--workers=1'],
  },
}

/**
 * Those of a line run side by side: while one waits for a timer or for another program, the other has the cores. How many workers each has
 * (`beside`) is chosen so that both end at about the same time: the server's tests alone leave more than half of two cores idle.
 */
const STAGES = [['unit'], ['server', 'e2e']]

const EMPTY = { passed: 0, failed: 0, skipped: 0 }

/** A suite that cannot be prepared is a failure of that suite; the others still run and the last line still comes. */
async function prepare(name) {
  try {
    await SUITES[name].prepare?.()
    return null
  } catch (error) {
    process.stderr.write(`${error instanceof Fault ? error.message : error.stack}\n`)
    return { name, tally: { ...EMPTY, failed: 1 }, times: [], interrupted: false }
  }
}

/** `output`: where to write what the suite says; null: on the terminal. */
async function runSuite(name, reportFolder, args, output) {
  const { runner, command } = SUITES[name]
  const reportFile = join(reportFolder, `${name}.json`)
  const file = output && openSync(output, 'w')
  const run = { ...command(reportFile, args), toGroup: true, stdin: 'ignore', ...(file && { output: file }) }
  const { code, interrupted } = await runInForeground([run])
  if (file) closeSync(file)
  const report = existsSync(reportFile) ? readFileSync(reportFile, 'utf8') : null
  return {
    name,
    tally: tallySuite({ runner, report, exitCode: code }),
    times: fileTimes({ runner, report, root: ROOT }),
    again: secondTry({ runner, report, root: ROOT }),
    interrupted,
  }
}

/** What counts as failed, for the end of all that is printed; a suite that ended without a report is named itself. */
const failuresOf = ({ name, tally, again, failures }) => {
  if (tally.failed === 0) return []
  const titles = failures ?? again?.titles ?? []
  return titles.length > 0 ? titles.map((title) => `${name}: ${title}`) : [`${name}: see above`]
}

/**
 * Suites side by side keep the machine busier than any bound of a test foresees. What failed there is tried once more, alone: a fault
 * shows again. The words say which they were, for a test that needs this is to be mended.
 */
async function tryAgain(suite, reportFolder) {
  if (!suite.again || suite.interrupted) return suite
  const { files, titles } = suite.again
  say(`\n— ${suite.name}: a second try, alone, of ${files.join(', ')} —`)
  const second = await runSuite(suite.name, reportFolder, [...files, ...SUITES[suite.name].alone], null)
  const failedAgain = second.tally.failed > 0 ? (second.again?.titles ?? null) : []
  const tally = tallyAfter({ tally: suite.tally, titles }, second.tally, failedAgain)
  say(`\nFailed beside the others, ${tally.failed ? 'and alone' : 'passed alone'}:\n${titles.join('\n')}`)
  const failures = failedAgain?.filter((title) => titles.includes(title)) ?? titles
  return { ...suite, tally, failures, interrupted: second.interrupted }
}

/** The first one speaks as it goes, what the others say comes at their end. */
async function runStage(names, reportFolder, args) {
  say(`\n— ${names[0]} —`)
  const unprepared = []
  for (const name of names) unprepared.push(await prepare(name))
  const logOf = (name) => (name === names[0] ? null : join(reportFolder, `${name}.log`))
  const argsOf = (name) => [...(names.length > 1 ? SUITES[name].beside : []), ...args]
  const running = names.map(
    (name, index) => unprepared[index] ?? runSuite(name, reportFolder, argsOf(name), logOf(name)),
  )
  const suites = []
  for (const [index, name] of names.entries()) {
    suites.push(await running[index])
    const log = logOf(name)
    if (log) say(`\n— ${name} —\n${existsSync(log) ? readFileSync(log, 'utf8') : ''}`)
  }
  if (names.length === 1) return suites
  const tried = []
  for (const suite of suites) tried.push(await tryAgain(suite, reportFolder))
  return tried
}

await runScript(async () => {
  const [chosen, ...args] = process.argv.slice(2)
  if (chosen !== undefined && !SUITES[chosen]) {
    throw new Fault(`There is no suite '${chosen}'; there are ${Object.keys(SUITES).join(', ')}.`)
  }
  // A caller who names a file means all of it.
  if (args.some((arg) => !arg.startsWith('-'))) process.env['SIARIN_ALL'] = 'true'
  await ensurePackages()

  const begun = Date.now()
  const tallies = []
  const times = []
  const failures = []
  // Beside the unit tests: each of the two leaves a core idle for a while.
  const checks = chosen ? null : runChecks()
  const reportFolder = mkdtempSync(join(tmpdir(), 'siarin-reports-'))
  try {
    for (const names of chosen ? [[chosen]] : STAGES) {
      const suites = await runStage(names, reportFolder, args)
      const checked = checks && names === STAGES[0] ? [{ name: 'checks', tally: await checks }] : []
      tallies.push(...[...checked, ...suites].map(({ tally }) => tally))
      times.push(...suites.flatMap((suite) => suite.times))
      failures.push(...[...checked, ...suites].flatMap(failuresOf))
      if (suites.some(({ interrupted }) => interrupted)) break
    }
  } finally {
    rmSync(reportFolder, { recursive: true, force: true })
  }
  const sum = addTallies(tallies)
  const minutes = ((Date.now() - begun) / 60_000).toFixed(1)
  say(`\nThe test files that took longest, of ${minutes} minutes in all:\n${slowestLines(times).join('\n')}`)
  if (failures.length > 0) say(`\nFailed:\n${failures.join('\n')}`)
  say(`\n${tallyLine(sum)}`)
  return sum.failed > 0 ? 1 : 0
})
