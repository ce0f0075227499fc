import type { Page } from '@playwright/test'

/** Holds calls of the page back until the answer is called: what it shows meanwhile can be looked at. */
export async function holdCalls(page: Page, url: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** Every feature call of the page from now on. */
export function featureCalls(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/fitur/') && request.resourceType() !== 'document') calls.push(pathname)
  })
  return calls
}
