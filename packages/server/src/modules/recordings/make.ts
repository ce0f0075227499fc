import { Readable } from 'node:stream'
import type { Log } from '../../platform/log.ts'
import { readerMemoryBytes, startTool, type ToolLimits } from '../../platform/process/limited-tool.ts'
import { FileGoneError } from './file-facts.ts'

interface MakeOptions {
  readonly ffmpegPath: string
  readonly log: Log
}

export type Make = ReturnType<typeof createMake>

/** What ffmpeg writes, as it comes: it waits for its reader, and nothing is kept. */
export const createMake = ({ ffmpegPath, log }: MakeOptions) =>
  async function* make(
    args: string[],
    {
      signal,
      timeoutMs,
      priority,
      input,
    }: Pick<ToolLimits, 'timeoutMs' | 'priority' | 'input'> & { signal: AbortSignal },
  ): AsyncGenerator<Buffer> {
    signal.throwIfAborted()
    const fed = input && fedFrom(input)
    const limits = { memoryBytes: readerMemoryBytes(), timeoutMs, priority, signal, ...(fed && { input: fed.stream }) }
    const { child, ended, kill } = startTool(ffmpegPath, args, limits)
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      if (said.length < 2_000) said += chunk.toString()
    })
    try {
      for await (const chunk of child.stdout) yield chunk as Buffer
      const { code, timedOut } = await ended
      // ffmpeg takes an input that breaks off, or a file that is gone, for the end, and calls that a success.
      const isCut = fed?.hasFailed() || said.includes(FILE_OF_LIST_GONE)
      if (code === 0 && !isCut) return
      log.warn({ code, timedOut, said: said.slice(0, 500) }, 'a recording could not be put together')
      throw new FileGoneError('ffmpeg could not put a recording together')
    } finally {
      kill()
      input?.destroy()
    }
  }

/** What ffmpeg says where it cannot open the next file of a list. */
const FILE_OF_LIST_GONE = 'Impossible to open'

/** The same content, and whether reading it failed: that a reader had enough of it is no failure. */
function fedFrom(input: Readable): { stream: Readable; hasFailed: () => boolean } {
  let hasFailed = false
  async function* read(): AsyncGenerator<Buffer> {
    const chunks = input[Symbol.asyncIterator]()
    while (true) {
      const next = await chunks.next().catch((error) => {
        hasFailed = true
        throw error
      })
      if (next.done) return
      yield next.value
    }
  }
  return { stream: Readable.from(read()), hasFailed: () => hasFailed }
}

/** With its first bytes: before them it can still be said that there are none. */
export async function begun(bytes: AsyncGenerator<Buffer>): Promise<AsyncGenerator<Buffer>> {
  const first = await bytes.next()
  if (first.done) throw new FileGoneError('nothing came of it')
  return (async function* () {
    try {
      yield first.value
      yield* bytes
    } finally {
      await bytes.return(undefined)
    }
  })()
}
