import { spawn } from 'node:child_process'
import { childEnv } from './child-env.ts'

export interface BoundedRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly timedOut: boolean
}

/** Runs a short command whose output and time are bounded, whatever it was given to read. */
export function runBounded(
  command: string,
  args: string[],
  { timeoutMs, maxBytes }: { timeoutMs: number; maxBytes: number },
): Promise<BoundedRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: childEnv(), stdio: ['ignore', 'pipe', 'pipe'] })
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      child.kill('SIGKILL')
    }, timeoutMs)
    const collect = (stream: NodeJS.ReadableStream): (() => string) => {
      const chunks: Buffer[] = []
      let size = 0
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= maxBytes) chunks.push(chunk)
        else child.kill('SIGKILL')
      })
      return () => Buffer.concat(chunks).toString('utf8')
    }
    const stdout = collect(child.stdout)
    const stderr = collect(child.stderr)
    child.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, stdout: stdout(), stderr: stderr(), timedOut })
    })
  })
}
