import type { JobContext } from '../../src/platform/queue/queue.ts'

/** Waits until the holder of a job is told to let go. */
export const aborted = (context: JobContext) =>
  new Promise<void>((resolve) => {
    if (context.signal.aborted) resolve()
    context.signal.addEventListener('abort', () => resolve(), { once: true })
  })
