import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { processBirth } from '../detached.ts'
import { PROTOCOL, type ProcessId } from './messages.ts'

/** What it writes down once it listens, so that a later start of the program finds it. */
export interface WardenState extends ProcessId {
  readonly protocol: number
}

export const pathsIn = (directory: string) => ({
  state: join(directory, 'state.json'),
  socket: join(directory, 'socket'),
  deadline: join(directory, 'deadline'),
  errors: join(directory, 'errors'),
  mark: join(directory, 'mark'),
})

export function writeWardenState(directory: string): void {
  const { pid } = process
  const state: WardenState = { pid, birth: processBirth(pid) ?? '', protocol: PROTOCOL }
  const { state: file } = pathsIn(directory)
  // Whole or not at all: the program may look at any moment.
  writeFileSync(`${file}.${pid}`, JSON.stringify(state), { mode: 0o600 })
  renameSync(`${file}.${pid}`, file)
}

/** Null: none is running. */
export function readWardenState(directory: string): WardenState | null {
  try {
    const state = JSON.parse(readFileSync(pathsIn(directory).state, 'utf8')) as WardenState
    return state.birth !== '' && processBirth(state.pid) === state.birth ? state : null
  } catch {
    return null
  }
}
