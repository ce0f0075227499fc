import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePackages } from './lib/packages.mjs'
import { capture } from './lib/processes.mjs'
import { serverCommand } from './lib/server-command.mjs'
import { Fault, findCommand, machineEnv, NODE_24, ROOT, runScript, say } from './lib/shell.mjs'
import { ensureBrowser, ensureSystem } from './lib/system.mjs'
import { ensureWebBuilt } from './lib/web-build.mjs'

/** Fixed: another version measures by other rules. */
const VERSION = '13.5.0'
const FOLDER = join(ROOT, '.cache', 'lighthouse')
const CLI = join(FOLDER, 'node_modules', 'lighthouse', 'cli', 'index.js')

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']
/** What each page must reach; the three other categories must be whole. */
const PERFORMANCE = { '/': 98, '/login': 95, '/documentation': 95 }
const WHOLE = 100
/** The middle one counts: a machine has its moments. */
const RUNS = 3
const START_MS = 60_000

/** Lighthouse is large and only for this command: neither `npm start` nor `npm test` installs it. */
async function ensureLighthouse() {
  const manifest = join(FOLDER, 'node_modules', 'lighthouse', 'package.json')
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === VERSION) return
  say(`Installing lighthouse ${VERSION} into .cache …`)
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, 'package.json'), '{ "private": true }\n')
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `lighthouse@${VERSION}`]
  const { code, output } = await capture('npm', args, { cwd: FOLDER, env: machineEnv() })
  if (code !== 0) throw new Fault(`${output}\nInstalling lighthouse failed; its words are above.`)
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** The program as `npm start` runs it, on loopback and with a data folder of its own. */
async function startProgram(dataDir) {
  const port = await freePort()
  const env = { ...process.env, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir, NODE_ENV: 'production' }
  const { command, args, cwd, env: tuned } = serverCommand({ env })
  const child = spawn(command, args, { cwd, env: tuned, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  const url = `http://127.0.0.1:${port}`
  const giveUpAt = Date.now() + START_MS
  while (!(await fetch(`${url}/healthz`).catch(() => null))?.ok) {
    if (child.exitCode !== null || Date.now() > giveUpAt) throw new Fault('The program did not start.')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { url, stop }
}

/** One run: the scores of 0 to 100, and what was missed. */
async function measure(url, folder, preset) {
  const report = join(folder, 'report.json')
  const args = [
    url,
    '--quiet',
    '--output=json',
    `--output-path=${report}`,
    `--only-categories=${CATEGORIES.join(',')}`,
    '--chrome-flags=--headless --no-sandbox --disable-gpu --disable-quic',
    ...(preset === 'desktop' ? ['--preset=desktop'] : []),
  ]
  const env = { ...process.env, CHROME_PATH: findCommand('chromium-headless-shell', 'chromium', 'google-chrome') }
  const { code, output } = await capture(NODE_24, [CLI, ...args], { cwd: FOLDER, env })
  if (code !== 0) throw new Fault(`${output}\nLighthouse failed at ${url}; its words are above.`)
  const { categories, audits } = JSON.parse(readFileSync(report, 'utf8'))
  const scores = Object.fromEntries(CATEGORIES.map((name) => [name, Math.round(categories[name].score * 100)]))
  const missed = CATEGORIES.slice(1).flatMap((name) =>
    categories[name].auditRefs
      .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1)
      .map(({ id }) => `${name}: ${audits[id].title}`),
  )
  const shown = (id) => audits[id]?.displayValue ?? '?'
  const timings = [
    'first-contentful-paint',
    'largest-contentful-paint',
    'total-blocking-time',
    'cumulative-layout-shift',
  ]
  return { scores, missed, timings: timings.map(shown) }
}

const middle = (runs) => runs.sort((a, b) => a.scores.performance - b.scores.performance)[Math.floor(runs.length / 2)]

async function measureAll(url, folder, isWanted) {
  const misses = []
  say(['', ...CATEGORIES, 'FCP', 'LCP', 'TBT', 'CLS'].map((head) => head.padEnd(15)).join(' '))
  for (const preset of ['mobile', 'desktop']) {
    for (const [path, bound] of Object.entries(PERFORMANCE)) {
      if (!isWanted(`${preset} ${path}`)) continue
      const runs = []
      for (let run = 0; run < RUNS; run++) runs.push(await measure(url + path, folder, preset))
      const spread = runs.map(({ scores }) => scores.performance).join(', ')
      const { scores, missed, timings } = middle(runs)
      const row = [`${preset} ${path}`, ...CATEGORIES.map((name) => scores[name]), ...timings]
      say(`${row.map((cell) => String(cell).padEnd(15)).join(' ')} (performance of each run: ${spread})`)
      for (const name of CATEGORIES) {
        const wanted = name === 'performance' ? bound : WHOLE
        if (scores[name] < wanted) misses.push(`${preset} ${path}: ${name} ${scores[name]}, wanted ${wanted}`)
      }
      misses.push(...missed.map((line) => `${preset} ${path}: ${line}`))
    }
  }
  return misses
}

/** `npm run lighthouse` measures everything, `npm run lighthouse -- 'mobile /login'` one row of it. */
await runScript(async () => {
  const chosen = process.argv.slice(2)
  await ensurePackages()
  await ensureSystem(['ffmpeg'])
  await ensureBrowser()
  await ensureWebBuilt()
  await ensureLighthouse()
  const folder = mkdtempSync(join(tmpdir(), 'siarin-lighthouse-'))
  try {
    const program = await startProgram(join(folder, 'data'))
    try {
      const misses = await measureAll(program.url, folder, (row) => chosen.length === 0 || chosen.includes(row))
      for (const line of misses) say(`MISSED  ${line}`)
      return misses.length === 0 ? 0 : 1
    } finally {
      await program.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
