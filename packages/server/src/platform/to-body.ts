import { Readable } from 'node:stream'

interface BodyOptions {
  readonly stallMs: number
  readonly abort?: AbortController
  /** In any case, once. */
  readonly onEnd?: () => void
  /** What is made ahead of its reader. */
  readonly highWaterMark?: number
}

/** Ends with its reader, and where the reader takes nothing for too long. */
export function toBody(
  bytes: AsyncGenerator<Buffer | string>,
  { abort, stallMs, onEnd, highWaterMark = 1024 ** 2 }: BodyOptions,
): Readable {
  let timer: NodeJS.Timeout | undefined
  const watch = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => body.destroy(new Error('nobody takes it any more')), stallMs)
  }
  async function* watched(): AsyncGenerator<Buffer | string> {
    for await (const chunk of bytes) {
      watch()
      yield chunk
    }
  }
  const body = Readable.from(watched(), { objectMode: false, highWaterMark })
  watch()
  body.once('close', () => {
    clearTimeout(timer)
    abort?.abort(new Error('nobody takes it any more'))
    onEnd?.()
  })
  return body
}
