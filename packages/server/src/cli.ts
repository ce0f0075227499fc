import { runCli } from './cli/run-cli.ts'

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // The reader may be gone, as in `… | head`: that is no fault.
  if (code === 'EPIPE') return
  process.stderr.write(`siarin: the answer could not be written: ${message}\n`)
  process.exitCode = 1
})

const code = await runCli(process.argv.slice(2), {
  env: process.env,
  say: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
})
process.exitCode ||= code
