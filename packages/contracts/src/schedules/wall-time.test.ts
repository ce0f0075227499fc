import { afterEach, describe, expect, it, vi } from 'vitest'
import { isZone } from './wall-time.ts'

describe('[SAFE-07] the zone of a call', () => {
  afterEach(() => void vi.restoreAllMocks())

  it('is read once, however many spellings of it there are', () => {
    const format = vi.spyOn(Intl, 'DateTimeFormat')
    for (let spelling = 0; spelling < 1_000; spelling++) {
      const letters = [...'America/Indiana/Indianapolis']
      const name = letters.map((letter, at) => ((spelling >> at) & 1 ? letter.toUpperCase() : letter.toLowerCase()))
      expect(isZone(name.join(''))).toBe(true)
    }
    expect(format).toHaveBeenCalledTimes(1)
  })

  it('is none where nobody knows it, and that is not kept', () => {
    for (let at = 0; at < 1_000; at++) expect(isZone(`Asia/Nowhere${at}`)).toBe(false)
  })
})
