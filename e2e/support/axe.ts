import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const BAD = ['serious', 'critical']

/** 'color-contrast: .note > p': what axe finds bad on the page as it stands. */
export async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter(({ impact }) => BAD.includes(impact ?? ''))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)
}
