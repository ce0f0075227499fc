import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysIn, plusDays, RANGE_CHOICES, rangeOf, readRange, searchOf } from './range.ts'

const TODAY = '2026-11-16'
const read = (search: string) => readRange(new URLSearchParams(search), TODAY)

describe('[STAT-02] a range of days', () => {
  it('is a week without anything asked, or with nonsense', () => {
    expect(read('').range).toEqual({ from: '2026-11-10', to: TODAY })
    expect(read('rentang=selamanya')).toEqual(read(''))
    expect(read('rentang=sendiri&dari=2026-13-40&sampai=x')).toMatchObject({ fault: 'Isi kedua tanggalnya.' })
    expect(read('rentang=sendiri')).toMatchObject({ choice: 'sendiri', fault: null })
  })

  it('has as many days as its name says, today being the last', () => {
    expect([...(['7', '30', 'tahun'] as const)].map((choice) => daysIn(rangeOf(choice, TODAY)))).toEqual([7, 30, 365])
    expect(rangeOf('bulan', TODAY)).toEqual({ from: '2026-11-01', to: TODAY })
    expect(rangeOf('30', '2024-03-01').from).toBe('2024-02-01')
  })

  it('says what is wrong with days that were typed', () => {
    expect(read('rentang=sendiri&dari=2026-11-09&sampai=2026-11-02').fault).toMatch(/^Tanggal awal ada setelah/)
    expect(read('rentang=sendiri&dari=2026-11-20&sampai=2026-11-21').fault).toMatch(/belum terjadi/)
    expect(read('rentang=sendiri&dari=2026-02-30&sampai=2026-03-02').fault).toBe('Isi kedua tanggalnya.')
  })

  it('is read from the address as it was written there', () => {
    const day = fc.integer({ min: -400, max: 0 }).map((back) => plusDays(TODAY, back))
    fc.assert(
      fc.property(fc.constantFrom(...RANGE_CHOICES.map(({ value }) => value)), day, day, (choice, one, other) => {
        const [from = one, to = other] = [one, other].toSorted()
        const again = readRange(searchOf(choice, { from, to }), TODAY)
        expect(again.choice).toBe(choice)
        if (choice === 'sendiri') expect(again.range).toEqual({ from, to })
        expect(again.fault).toBeNull()
      }),
    )
  })
})
