import type { Page } from '@playwright/test'

/** For pictures and films: text takes our typeface also when a busy machine brings it later than a visitor should wait. */
export const alwaysOurTypeface = (page: Page): Promise<unknown> =>
  page.route('**/assets/*.css', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/font-display:\s*optional/g, 'font-display:swap')
    await route.fulfill({ response, body })
  })
