import type { PlaywrightTestOptions } from '@playwright/test'
import { isWholeRun } from '@siarin/testkit/whole-run'

type DeviceOptions = Partial<Pick<PlaywrightTestOptions, 'viewport' | 'isMobile' | 'hasTouch'>>

type Device = { device: string; use: DeviceOptions }

const DESKTOP: Device = { device: 'desktop', use: { viewport: { width: 1366, height: 768 } } }
const PHONE: Device = {
  device: 'mobile',
  use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
}

/**
 * A screen is tested as it is met: `for (const { device, use } of DEVICES) test.describe(device, …)`. `npm test` makes each journey on a
 * phone, as most people do, where less fits; tests that name no device are of a desktop.
 */
export const DEVICES: readonly Device[] = isWholeRun ? [DESKTOP, PHONE] : [PHONE]
