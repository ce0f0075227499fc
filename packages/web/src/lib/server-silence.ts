import { createStore, useStore } from './store.ts'

/** Longer than a restart of the server takes: that passes without a word. */
const JUDGED_AFTER_MS = 10_000
const ANSWER_MS = 5_000

const silent = createStore(false)
let timer: ReturnType<typeof setTimeout> | undefined

/** Said by each call that gets no answer, and by what listens to the server all the time. */
export function sayLineBroke(): void {
  timer ??= setTimeout(() => void judge(), JUDGED_AFTER_MS)
}

/** The server speaks again, or nobody listens any more. */
export function sayLineIsWell(): void {
  clearTimeout(timer)
  timer = undefined
  if (silent.get()) silent.set(false)
}

/** A proxy may let calls through and refuse what lasts: that is no silence. */
async function judge(): Promise<void> {
  const asked = timer
  const answers = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (timer !== asked) return
  timer = undefined
  if (silent.get() === answers) silent.set(!answers)
}

/** Whether the server has said nothing for so long that what stands on the screen may be outdated. */
export const useServerSilent = (): boolean => useStore(silent)
