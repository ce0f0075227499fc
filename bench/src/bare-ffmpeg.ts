import { spawn } from 'node:child_process'

export interface BareFfmpeg {
  readonly pid: number
  end(): void
}

/**
 * An ffmpeg that nobody watches. In a session of its own, as those of the program are: the kernel shares the time between
 * sessions, and who gets less of it wakes up less often and looks cheaper.
 */
export function bareFfmpeg(args: readonly string[]): BareFfmpeg {
  const child = spawn('ffmpeg', args, { stdio: 'ignore', detached: true })
  child.unref()
  return { pid: child.pid ?? 0, end: () => void child.kill('SIGKILL') }
}

/** The shortest command that broadcasts a file for ever. */
export const plainLoop = (file: string, target: string): string[] => [
  ...['-nostdin', '-loglevel', 'quiet', '-re', '-stream_loop', '-1', '-i', file],
  ...['-c', 'copy', '-f', 'flv', target],
]
