import { startTool, type ToolLimits } from './limited-tool.ts'

export interface BoundedRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly timedOut: boolean
  /** How long it has worked, or half a second less; null: it was over sooner, or nobody knows. */
  readonly cpuMs: number | null
}

/** Runs a short command whose output, time and memory are bounded, whatever it was given to read. */
export async function runBounded(
  command: string,
  args: string[],
  { maxBytes, ...limits }: ToolLimits & { maxBytes: number },
): Promise<BoundedRun> {
  const { child, ended, kill } = startTool(command, args, limits)
  // Where no more files may be opened there are no streams, and `ended` says so.
  const collect = (stream: NodeJS.ReadableStream | undefined): (() => string) => {
    const chunks: Buffer[] = []
    let size = 0
    stream?.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      else kill()
    })
    return () => Buffer.concat(chunks).toString('utf8')
  }
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const { code, timedOut, cpuMs } = await ended
  return { code, stdout: stdout(), stderr: stderr(), timedOut, cpuMs }
}
