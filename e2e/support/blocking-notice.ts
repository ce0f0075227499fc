import type { Locator, Page } from '@playwright/test'

export const STOPPED =
  'Akses gratis Anda telah dihentikan. Hubungi administrator atau upgrade ke premium untuk melanjutkan.'

export const notice = (page: Page, title = 'Akses gratis dihentikan'): Locator =>
  page.getByRole('dialog', { name: title })
