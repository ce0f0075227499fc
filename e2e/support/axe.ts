import type { Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'

const BAD = ['serious', 'critical']

/** What moves has arrived, apart from what moves for ever: no colour is caught half way. */
const stillness = (page: Page): Promise<unknown> =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished),
    ).then(() => {}),
  )

/** The rules that judge by colours: with another theme only these can answer otherwise. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** Reading it takes the page as long as judging does: once for each document. */
async function bringAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
}

/** 'color-contrast: .note > p': what axe finds bad on the page as it stands. */
export async function faults(page: Page, onlyRules: string[] | null = null): Promise<string[]> {
  await stillness(page)
  await bringAxe(page)
  const violations = await page.evaluate(
    async (options) => (await (globalThis as unknown as { axe: typeof axe }).axe.run(options)).violations,
    { resultTypes: ['violations'], ...(onlyRules && { runOnly: onlyRules }) } satisfies RunOptions,
  )
  return violations
    .filter(({ impact }) => BAD.includes(impact ?? ''))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)
}
