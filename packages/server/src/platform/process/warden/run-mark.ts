import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { pathsIn } from './warden-state.ts'

const BOOT_ID = '/proc/sys/kernel/random/boot_id'
const MARK = /^[\da-f-]{36}$/

/**
 * Which folder of processes, in which start of which machine. The folder lies in memory: a program that is started again on its DATA_DIR finds
 * it with all that still runs there; one of another DATA_DIR does not, nor one of another container, though it has the same boot id.
 */
export function loadRunMark(directory: string): string {
  try {
    const bootId = readFileSync(BOOT_ID, 'utf8').trim()
    return `${bootId}/${readMark(directory) ?? makeMark(directory)}`
  } catch {
    // Known to this run alone: the next one waits until this one is seen to be dead.
    return randomUUID()
  }
}

function readMark(directory: string): string | null {
  try {
    const mark = readFileSync(pathsIn(directory).mark, 'utf8')
    return MARK.test(mark) ? mark : null
  } catch {
    return null
  }
}

/** DATA_DIR is locked: nobody else makes one meanwhile. */
function makeMark(directory: string): string {
  const mark = randomUUID()
  const { mark: file } = pathsIn(directory)
  writeFileSync(`${file}.new`, mark, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return mark
}
