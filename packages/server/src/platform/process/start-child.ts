import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/**
 * The only place that starts a process with arguments that may be secret: a target in ffmpeg's arguments ends in its stream key. Node puts
 * them into the error of a process that could not be started (`spawnargs`), and from there they would go into logs.
 */
export function startChild(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawnQuietly(command, args, options)
  // Node fills its error from here, at the earliest when this call has returned.
  Object.assign(child, { spawnargs: [command] })
  return child
}

/** Some faults are thrown at once, and the words of an argument that Node refuses have the argument itself. */
function spawnQuietly(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  try {
    return spawn(command, args, options)
  } catch (error) {
    const { code = 'unknown fault' } = error as NodeJS.ErrnoException
    throw Object.assign(new Error(`spawn ${command} ${code}`), { code })
  }
}
