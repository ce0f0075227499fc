import { spawnSync } from 'node:child_process'
import { cliCommand } from './lib/server-command.mjs'
import { Fault, isExecutable, NODE_24, runScript } from './lib/shell.mjs'

// Installs nothing: a question about a user must not change the program that runs beside it.
await runScript(async () => {
  if (!isExecutable(NODE_24)) throw new Fault('siarin: run npm start once first, it installs what this command needs.')
  const { command, args, ...options } = cliCommand(process.argv.slice(2))
  const { status, error } = spawnSync(command, args, { ...options, stdio: 'inherit' })
  if (error) throw new Fault(`siarin: ${error.message}`)
  return status ?? 1
})
