import { join } from 'node:path'
import { capture } from './processes.mjs'
import { projectEnv, ROOT, say } from './shell.mjs'

const TOOLS = [
  { name: 'biome', command: ['biome', 'check', '.'] },
  { name: 'tsc', command: ['tsc', '-p', 'tsconfig.json'] },
  { name: 'tsc media', command: ['tsc', '-p', 'packages/media'] },
  { name: 'tsc web', command: ['tsc', '-p', 'packages/web'] },
  { name: 'tsc e2e', command: ['tsc', '-p', 'e2e'] },
  { name: 'knip', command: ['knip'] },
]

/** Runs every tool, also after one has failed, and answers how many did well. */
export async function runChecks() {
  const tally = { passed: 0, failed: 0, skipped: 0 }
  const runs = TOOLS.map(({ command: [tool, ...args] }) =>
    capture(join(ROOT, 'node_modules', '.bin', tool), args, { cwd: ROOT, env: projectEnv() }),
  )
  for (const [index, { name }] of TOOLS.entries()) {
    const { code, output } = await runs[index]
    const ok = code === 0
    tally[ok ? 'passed' : 'failed'] += 1
    say(`${name.padEnd(10)} ${ok ? 'ok' : 'failed'}`)
    if (!ok) say(output.trimEnd())
  }
  return tally
}
