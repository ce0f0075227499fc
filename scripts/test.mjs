import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChecks } from './lib/checks.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { runInForeground } from './lib/processes.mjs'
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
  unit: { runner: 'vitest', command: vitest(['unit', 'web']) },
  server: {
    runner: 'vitest',
    prepare: async () => {
      await ensureSystem(['ffmpeg', 'nginx', 'postgresql', 'redis'])
      // The pages that the server fills in are made by the web app's build.
      await ensureWebBuilt()
    },
    command: vitest(['server']),
  },
  e2e: {
    runner: 'playwright',
    prepare: async () => {
      await ensureSystem(['ffmpeg', 'nginx'])
      await ensureBrowser()
      await ensureWebBuilt()
    },
    command: playwright,
  },
}

/** A suite that cannot be prepared is a failure of that suite; the others still run and the last line still comes. */
async function runSuite(name, reportFolder, args) {
  const { runner, prepare, command } = SUITES[name]
  say(`\n— ${name} —`)
  try {
    await prepare?.()
  } catch (error) {
    process.stderr.write(`${error instanceof Fault ? error.message : error.stack}\n`)
    return { tally: { passed: 0, failed: 1, skipped: 0 }, times: [], interrupted: false }
  }
  const reportFile = join(reportFolder, `${name}.json`)
  const run = { ...command(reportFile, args), toGroup: true, stdin: 'ignore' }
  const { code, interrupted } = await runInForeground([run])
  const report = existsSync(reportFile) ? readFileSync(reportFile, 'utf8') : null
  return {
    tally: tallySuite({ runner, report, exitCode: code }),
    times: fileTimes({ runner, report, root: ROOT }),
    interrupted,
  }
}

await runScript(async () => {
  const [chosen, ...args] = process.argv.slice(2)
  if (chosen !== undefined && !SUITES[chosen]) {
    throw new Fault(`There is no suite '${chosen}'; there are ${Object.keys(SUITES).join(', ')}.`)
  }
  await ensurePackages()

  const begun = Date.now()
  const tallies = []
  const times = []
  if (!chosen) {
    say('— check —')
    tallies.push(await runChecks())
  }
  const reportFolder = mkdtempSync(join(tmpdir(), 'siarin-reports-'))
  try {
    for (const name of chosen ? [chosen] : Object.keys(SUITES)) {
      const suite = await runSuite(name, reportFolder, args)
      tallies.push(suite.tally)
      times.push(...suite.times)
      if (suite.interrupted) break
    }
  } finally {
    rmSync(reportFolder, { recursive: true, force: true })
  }
  const sum = addTallies(tallies)
  const minutes = ((Date.now() - begun) / 60_000).toFixed(1)
  say(`\nThe test files that took longest, of ${minutes} minutes in all:\n${slowestLines(times).join('\n')}`)
  say(`\n${tallyLine(sum)}`)
  return sum.failed > 0 ? 1 : 0
})
