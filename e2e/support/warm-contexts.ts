import type { Browser } from '@playwright/test'

type Options = { baseURL?: string; isMobile?: boolean; hasTouch?: boolean }
type Context = { clearCache(): Promise<void> }
type Kept = { context: Context; hash: string }

/** Playwright's own browser, behind the one that tests have. */
type Inside = {
  _contextForReuse: Kept | undefined
  newContextForReuse(progress: unknown, options: Options): Promise<Context>
}

/**
 * Tests share a context, which Playwright empties between two of them, its cache included: each test would load and compile the whole app
 * anew, a second of a processor's time. And it keeps one context: a phone after a desktop would begin with a new one. Here each kind has its
 * own, and its cache stays. Playwright has no setting for that: in a version that is built otherwise the tests take longer, and that is all.
 */
export function keepWarm(browser: Browser): void {
  const { _connection: connection } = browser as unknown as { _connection?: { toImpl?(of: Browser): Inside } }
  const inside = connection?.toImpl?.(browser)
  if (!inside?.newContextForReuse) return
  const kept = new Map<string, Kept | undefined>()
  const open = inside.newContextForReuse.bind(inside)
  inside.newContextForReuse = async (progress, options) => {
    const kind = JSON.stringify([options.baseURL, options.isMobile, options.hasTouch])
    inside._contextForReuse = kept.get(kind)
    const context = await open(progress, options)
    context.clearCache = async () => {}
    kept.set(kind, inside._contextForReuse)
    return context
  }
}
