import type { PlaywrightTestOptions } from '@playwright/test'

type DeviceOptions = Partial<Pick<PlaywrightTestOptions, 'viewport' | 'isMobile' | 'hasTouch'>>

/** A screen is tested as it is met: `for (const { device, use } of DEVICES) test.describe(device, …)`. */
export const DEVICES: readonly { device: string; use: DeviceOptions }[] = [
  { device: 'desktop', use: { viewport: { width: 1366, height: 768 } } },
  { device: 'mobile', use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } },
]
