import type { BrowserContext } from '@playwright/test'
import { GLOBAL_MESSAGE_MS, TOAST_MS } from '@siarin/contracts/limits'

/** How long warnings and news of the plan stand; the page has no other timer of this length. */
const NEWS_MS = 6000
const LASTING_MS = 20_000

/**
 * A toast stands for a second and a half, a message for three, news for six: a busy machine may look too late. Here each of them stands
 * for twenty. How long they really stand is tested with `page.clock`, whose timers take the place of these.
 */
export const keepMessages = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(
    ({ times, lastingMs }) => {
      const { setTimeout } = window
      window.setTimeout = ((handler: TimerHandler, ms?: number, ...args: unknown[]) =>
        setTimeout(handler, ms !== undefined && times.includes(ms) ? lastingMs : ms, ...args)) as typeof setTimeout
    },
    { times: [TOAST_MS, GLOBAL_MESSAGE_MS, NEWS_MS], lastingMs: LASTING_MS },
  )
