import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

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

/** 'color-contrast: .note > p': what axe finds bad on the page as it stands. */
export async function faults(page: Page, onlyRules: string[] | null = null): Promise<string[]> {
  await stillness(page)
  // In the page itself: otherwise each run opens another page to put the results of frames together, and we have none.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  if (onlyRules) axe.withRules(onlyRules)
  const { violations } = await axe.analyze()
  return violations
    .filter(({ impact }) => BAD.includes(impact ?? ''))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)
}
