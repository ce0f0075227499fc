import { runCli } from './cli/run-cli.ts'

// Whoever reads along may be gone, as in `… | head`: that is no fault.
process.stdout.on('error', () => {})

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  say: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
})
