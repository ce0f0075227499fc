import { readerMemoryBytes } from './limited-tool.ts'
import { runBounded } from './run-bounded.ts'

const ASK = { timeoutMs: 10_000, maxBytes: 100_000, priority: 'normal' } as const

/** Its lists take options from this version on: without them a list cannot name a whole path, nor be told what it may open. */
const FIRST_WITH_OPTIONS = 5

/** Whether ffmpeg reads lists within lists as `media/loop-list.ts` writes them. It is asked once. */
export function createListCheck(ffmpegPath: string): () => Promise<boolean> {
  let known: Promise<boolean> | null = null
  return () => {
    known ??= readsLists(ffmpegPath)
    return known
  }
}

async function readsLists(ffmpegPath: string): Promise<boolean> {
  const { stdout } = await runBounded(ffmpegPath, ['-version'], { ...ASK, memoryBytes: readerMemoryBytes() })
  const major = majorOf(stdout)
  return major === null || major >= FIRST_WITH_OPTIONS
}

/** Null: a build that is not named by a version, which is a new one. */
export function majorOf(answer: string): number | null {
  const [, major] = /^ffmpeg version n?(\d+)\./.exec(answer) ?? []
  return major === undefined ? null : Number(major)
}
