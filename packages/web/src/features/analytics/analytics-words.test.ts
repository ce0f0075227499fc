import { describe, expect, it } from 'vitest'
import { hoursWords, outcomeWords, shareWords, targetWords } from './analytics-words.ts'

describe('[STAT-02] figures in words', () => {
  it('cuts a share, so that 100% means that nothing was missing', () => {
    expect([99.999, 100, 0, 87.5, null].map(shareWords)).toEqual(['99,99%', '100%', '0%', '87,5%', '–'])
    expect(shareWords(99.98)).toBe('99,98%')
  })

  it('counts hours, minutes and seconds', () => {
    expect([5, 59.4, 192, 3599, 3599.6, 444_240].map(hoursWords)).toEqual([
      '5 detik',
      '59 detik',
      '3 menit 12 detik',
      '59 menit 59 detik',
      '1 jam',
      '123,4 jam',
    ])
  })

  it('says how an incident ended', () => {
    expect(outcomeWords({ outcome: 'recovered', seconds: 12 })).toBe('tayang lagi setelah 12 detik')
    expect(outcomeWords({ outcome: 'open', seconds: 12 })).toBe('masih berlangsung')
  })

  it('names a target with its platform', () => {
    expect(targetWords({ platform: 'youtube', targetName: 'Kanal utama' })).toBe('Kanal utama (YouTube)')
    expect(targetWords({ platform: 'lain', targetName: null })).toBe('Lainnya')
  })
})
