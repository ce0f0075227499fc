import { SWITCHABLE_KINDS } from '@siarin/contracts/alert-kinds'
import { describe, expect, it } from 'vitest'
import { agoWords, bellLabel, countWords, KIND_GROUPS } from './alert-words.ts'

const NOW = Date.parse('2026-11-16T12:00:00.000Z')
const ago = (ms: number): string => agoWords(new Date(NOW - ms).toISOString(), NOW)

describe('[ALERT-02] words of the bell', () => {
  it('says how long ago, and the date from a day on', () => {
    expect([ago(-5000), ago(0), ago(59_999)]).toEqual(['baru saja', 'baru saja', 'baru saja'])
    expect([ago(60_000), ago(3_599_999)]).toEqual(['1 menit lalu', '59 menit lalu'])
    expect([ago(3_600_000), ago(86_399_999)]).toEqual(['1 jam lalu', '23 jam lalu'])
    expect(ago(86_400_000)).toMatch(/^15 Nov 2026 \d\d\.\d\d/)
  })

  it('says in its name what is unread, within its room', () => {
    expect([bellLabel(0), bellLabel(3), bellLabel(1000)]).toEqual([
      'Notifikasi',
      'Notifikasi, 3 belum dibaca',
      'Notifikasi, 99+ belum dibaca',
    ])
    expect([countWords(99), countWords(100)]).toEqual(['99', '99+'])
  })

  it('has each kind in exactly one group', () => {
    expect(KIND_GROUPS.flatMap(({ kinds }) => kinds).toSorted()).toEqual(SWITCHABLE_KINDS.toSorted())
  })
})
