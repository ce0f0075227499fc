import type { ActivityEntry } from '@siarin/contracts/activity'
import { describe, expect, it } from 'vitest'
import { shownActivity } from './shown-activity.ts'

const entry = (id: string, change: Partial<ActivityEntry> = {}): ActivityEntry => ({
  id,
  kind: 'login',
  text: 'Login',
  detail: null,
  status: 'Berhasil',
  at: '2026-11-15T12:00:00.000Z',
  device: 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0',
  address: '203.0.113.7',
  ...change,
})

const examples = (count: number): number =>
  shownActivity(Array.from({ length: count }, (_, index) => entry(String(index)))).filter(({ at }) => at === null)
    .length

describe('the activity that is shown', () => {
  it('is filled with examples up to five, and not beyond', () => {
    expect([0, 1, 4, 5, 9].map(examples)).toEqual([5, 4, 1, 0, 0])
    expect(shownActivity([]).map(({ status }) => status)).toEqual([
      'Berhasil',
      'Gagal',
      'Berhasil',
      'Pending',
      'Berhasil',
    ])
  })

  it('says who it was, or what it was about', () => {
    expect(shownActivity([entry('1')])[0]?.detail).toBe('Firefox di Linux · 203.0.113.7')
    expect(shownActivity([entry('1', { detail: 'Senja · YouTube' })])[0]?.detail).toBe('Senja · YouTube')
    expect(shownActivity([entry('1', { device: null, address: null })])[0]?.detail).toBeNull()
  })
})
