import { describe, expect, it } from 'vitest'
import { leftBehindText } from './left-behind.ts'

const NOTHING = { webhooks: 0, channels: 0, schedules: 0, targets: 0, accounts: 0, broadcasts: 0 }

describe('what is said of what was there before its owner', () => {
  it('is nothing where there was nothing', () => {
    expect(leftBehindText(NOTHING)).toBeNull()
  })

  it.each([
    [{ webhooks: 1 }, 'Karena itu 1 webhook kami jeda.'],
    [{ webhooks: 2, schedules: 3 }, 'Karena itu 2 webhook dan 3 jadwal kami jeda.'],
    [{ webhooks: 1, channels: 1, schedules: 1 }, 'Karena itu 1 webhook, 1 saluran notifikasi, dan 1 jadwal kami jeda.'],
    [{ targets: 2, broadcasts: 1 }, 'Periksa 2 tujuan siaran dan 1 siaran yang sedang berjalan.'],
    [{ channels: 1, accounts: 1 }, 'Karena itu 1 saluran notifikasi kami jeda. Periksa juga 1 akun platform.'],
  ])('%j', (some, words) => {
    expect(leftBehindText({ ...NOTHING, ...some })).toContain(words)
  })
})
