import { spawn } from 'node:child_process'

export interface BareFfmpeg {
  readonly pid: number
  end(): void
}

/** An ffmpeg that nobody watches. */
export function bareFfmpeg(args: readonly string[]): BareFfmpeg {
  const child = spawn('ffmpeg', args, { stdio: 'ignore' })
  child.unref()
  return { pid: child.pid ?? 0, end: () => void child.kill('SIGKILL') }
}

/** The shortest command that broadcasts a file for ever. */
export const plainLoop = (file: string, target: string): string[] => [
  ...['-nostdin', '-loglevel', 'quiet', '-re', '-stream_loop', '-1', '-i', file],
  ...['-c', 'copy', '-f', 'flv', target],
]
