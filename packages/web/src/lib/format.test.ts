import { formatBytes } from '@siarin/contracts/format'
import { describe, expect, it } from 'vitest'
import {
  formatBitrate,
  formatClock,
  formatDay,
  formatDuration,
  formatInstant,
  formatMoment,
  formatPercent,
  formatPosition,
  formatShortBytes,
  formatSpan,
  formatTimeLeft,
} from './format.ts'

describe('sizes', () => {
  it('are whole below one KB and have two decimals above', () => {
    expect(formatBytes(0)).toBe('0 Bytes')
    expect(formatBytes(1023)).toBe('1.023 Bytes')
    expect(formatBytes(1024)).toBe('1,00 KB')
    expect(formatBytes(1536 * 1024)).toBe('1,50 MB')
    expect(formatBytes(1024 ** 3 - 1)).toBe('1.024,00 MB')
  })

  it('stop at TB', () => {
    expect(formatBytes(5 * 1024 ** 5)).toBe('5.120,00 TB')
  })

  it('never show what is not a number', () => {
    expect(formatBytes(Number.NaN)).toBe('0 Bytes')
    expect(formatShortBytes(Number.NaN)).toBe('0 B')
  })

  it('have one decimal at most where a glance is enough', () => {
    expect(formatShortBytes(0)).toBe('0 B')
    expect(formatShortBytes(0.4)).toBe('0,4 B')
    expect(formatShortBytes(3.24 * 1024 ** 2)).toBe('3,2 MB')
    expect(formatShortBytes(10 * 1024 ** 3)).toBe('10 GB')
  })
})

describe('durations', () => {
  it('are minutes and seconds', () => {
    expect(formatDuration(125)).toBe('2m 5s')
    expect(formatDuration(59.7)).toBe('1m 0s')
    expect(formatDuration(7261)).toBe('121m 1s')
  })
})

describe('figures of a broadcast', () => {
  it('a clock has hours, however many', () => {
    expect(formatClock(-3)).toBe('0:00:00')
    expect(formatClock(65.9)).toBe('0:01:05')
    expect(formatClock(123 * 3600 + 4)).toBe('123:00:04')
  })

  it('a position has hours only where there are any', () => {
    expect([4, 65.9, 724, 6310].map(formatPosition)).toEqual(['0:04', '1:05', '12:04', '1:45:10'])
  })

  it('a span has two parts at most', () => {
    expect(formatSpan(2.34)).toBe('2,3 detik')
    expect(formatSpan(59.96)).toBe('1 menit 0 detik')
    expect(formatSpan(725)).toBe('12 menit 5 detik')
    expect(formatSpan(3 * 3600 + 12 * 60 + 59)).toBe('3 jam 12 menit')
    expect(formatSpan(4 * 86_400 + 3 * 3600)).toBe('4 hari 3 jam')
  })

  it('bitrates and per cent are written the Indonesian way', () => {
    expect(formatBitrate(2712)).toBe('2,7 Mbps')
    expect(formatBitrate(999.7)).toBe('1 Mbps')
    expect(formatBitrate(239.6)).toBe('240 kbps')
    expect(formatPercent(99.8)).toBe('99,8%')
    expect(formatPercent(100)).toBe('100%')
  })
})

describe('the time left', () => {
  it('is never nothing and loses the seconds above an hour', () => {
    expect(formatTimeLeft(0)).toBe('sisa 1 detik')
    expect(formatTimeLeft(44.2)).toBe('sisa 45 detik')
    expect(formatTimeLeft(80)).toBe('sisa 1 menit 20 detik')
    expect(formatTimeLeft(59.5)).toBe('sisa 1 menit 0 detik')
    expect(formatTimeLeft(7505)).toBe('sisa 2 jam 5 menit')
  })
})

describe('dates', () => {
  it('are Indonesian', () => {
    expect(formatDay('2026-08-15T12:00:00.000Z')).toBe('15 Agu 2026')
    expect(formatInstant('2026-08-15T12:30:05.000Z')).toMatch(/^1[56] Agu \d\d\.30\.05$/)
    expect(formatMoment('2026-08-15T12:30:00.000Z')).toMatch(/^1[56] Agu 2026 \d\d\.30 \S+$/)
  })

  it('show a dash where there is none', () => {
    expect(formatDay(undefined)).toBe('–')
    expect(formatMoment('yesterday')).toBe('–')
    expect(formatInstant('')).toBe('–')
  })
})
