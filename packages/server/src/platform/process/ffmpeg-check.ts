import { readerMemoryBytes } from './limited-tool.ts'
import { runBounded } from './run-bounded.ts'

const CHECK = { timeoutMs: 10_000, maxBytes: 100_000, priority: 'normal' } as const

/** The first line of `-version`; throws when the program cannot be run. */
async function toolVersion(path: string): Promise<string> {
  const { code, stdout } = await runBounded(path, ['-version'], { ...CHECK, memoryBytes: readerMemoryBytes() })
  if (code !== 0) throw new Error(`${path} -version ended with ${code}`)
  return stdout.split('\n')[0] ?? ''
}

const REMEMBERED_MS = 10_000

/** For whoever asks often: one look serves everybody for a while, so that asking does not start a process each time. */
export function createToolCheck(path: string): () => Promise<void> {
  let latest: { at: number; result: Promise<unknown> } | null = null
  return async () => {
    if (!latest || performance.now() - latest.at > REMEMBERED_MS) {
      latest = { at: performance.now(), result: toolVersion(path) }
    }
    await latest.result
  }
}
