import type { Locator, Page } from '@playwright/test'

export const STOPPED =
  'Akses gratis Anda telah dihentikan. Hubungi administrator atau upgrade ke premium untuk melanjutkan.'

export const notice = (page: Page): Locator => page.getByRole('dialog', { name: 'Akses gratis dihentikan' })
