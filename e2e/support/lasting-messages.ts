import type { BrowserContext } from '@playwright/test'
import { GLOBAL_MESSAGE_MS, TOAST_MS } from '@siarin/contracts/limits'

const LONGER = 10

/**
 * A toast stands for a second and a half, a message for three: a busy machine may look too late. Here they stand ten times as long.
 * How long they really stand is tested with `page.clock`, whose timers take the place of these.
 */
export const keepMessages = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(
    ({ times, longer }) => {
      const { setTimeout } = window
      window.setTimeout = ((handler: TimerHandler, ms?: number, ...args: unknown[]) =>
        setTimeout(handler, ms !== undefined && times.includes(ms) ? ms * longer : ms, ...args)) as typeof setTimeout
    },
    { times: [TOAST_MS, GLOBAL_MESSAGE_MS], longer: LONGER },
  )
