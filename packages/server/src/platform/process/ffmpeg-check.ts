import { stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { readerMemoryBytes } from './limited-tool.ts'
import { runBounded } from './run-bounded.ts'

const CHECK = { timeoutMs: 10_000, maxBytes: 100_000, priority: 'normal' } as const

async function runVersion(path: string): Promise<string> {
  const { code, stdout } = await runBounded(path, ['-version'], { ...CHECK, memoryBytes: readerMemoryBytes() })
  if (code !== 0) throw new Error(`${path} -version ended with ${code}`)
  return stdout
}

/** Each run takes a tenth of a second of CPU: a monitor that asks every few seconds must not cost more than the program at rest. */
const REMEMBERED_MS = { runs: 60_000, fails: 5_000 }

interface Remembered {
  /** Which file was run: another one, or one that was written since, is judged anew at once. */
  readonly file: string
  readonly result: Promise<string>
  until: number
}

/** By path: the programs of one process run the same tools. */
const remembered = new Map<string, Remembered>()

/** What the tool answers to `-version`; throws when it cannot be run. One run serves everybody who asks for a while. */
export async function askVersion(path: string): Promise<string> {
  const file = await identify(path)
  let known = remembered.get(path)
  if (!known || known.file !== file || performance.now() > known.until) {
    known = begin(path, file)
    remembered.set(path, known)
  }
  return await known.result
}

function begin(path: string, file: string): Remembered {
  // Until it has ended everybody waits for this one run.
  const run: Remembered = { file, result: runVersion(path), until: Number.POSITIVE_INFINITY }
  const rememberFor = (ms: number) => () => {
    run.until = performance.now() + ms
  }
  run.result.then(rememberFor(REMEMBERED_MS.runs), rememberFor(REMEMBERED_MS.fails))
  return run
}

/** Names the file that a path or the name of a command leads to, in its present form; nothing: there is none. */
async function identify(path: string): Promise<string> {
  const folders = path.includes('/') ? [''] : (process.env['PATH'] ?? '').split(delimiter)
  for (const folder of folders) {
    const found = await stat(join(folder, path)).catch(() => null)
    if (found?.isFile()) return [found.dev, found.ino, found.size, found.mtimeMs, found.ctimeMs].join(' ')
  }
  return ''
}
