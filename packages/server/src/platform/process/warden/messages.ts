import type { Exit } from '../detached.ts'
import type { FencedProcess, Refusal } from './fence.ts'

/** A program and a warden of another version do not talk to each other: the warden is replaced. */
export const PROTOCOL = 1
/** The arguments of an ffmpeg take some kilobytes. */
const MOST_CHARACTERS = 512 * 1024

interface StreamEpoch extends Pick<FencedProcess, 'streamId' | 'epoch'> {}

export interface SpawnOrder extends StreamEpoch {
  readonly type: 'spawn'
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly errorFile: string
}

/** For a process that runs already: from an earlier run of the program, or from a version without a warden. */
export interface AdoptOrder extends StreamEpoch {
  readonly type: 'adopt'
  readonly pid: number
  readonly birth: string
}

export type Order = SpawnOrder | AdoptOrder | { readonly type: 'ping' }
export type NumberedOrder = Order & { readonly id: number }

export interface ProcessId extends Pick<FencedProcess, 'pid' | 'birth'> {}

export type RefusalCode = Refusal | 'still-running' | 'not-found' | 'failed'

export interface Answer extends Partial<ProcessId> {
  readonly id: number
  /** Absent: it was done. */
  readonly refused?: RefusalCode
  /** The code of the system, such as EAGAIN. */
  readonly cause?: string
}

export interface ExitNews extends ProcessId, Exit {
  readonly type: 'exit'
}

export type FromWarden = Answer | ExitNews

export const toLine = (message: NumberedOrder | FromWarden): string => `${JSON.stringify(message)}\n`

/** Cuts what comes into lines. Throws on a line that has no end. */
export function createLines<T>(onMessage: (message: T) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MOST_CHARACTERS) throw new Error('a message is too long')
    for (const line of lines) onMessage(JSON.parse(line) as T)
  }
}
