import { FILENAME_MAX } from '@siarin/contracts/limits'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanFilename, numberedNames } from './clean-filename.ts'

describe('a file name', () => {
  it.each([
    ['klip.mp4', 'klip.mp4'],
    ['Video "liburan" 🏖️ di Bali.mp4', 'Video "liburan" 🏖️ di Bali.mp4'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\sari\\klip.mp4', 'klip.mp4'],
    ['a\u0000b\nc.mp4', 'abc.mp4'],
    ['abc\u202E4pm.exe', 'abc4pm.exe'],
    ['..', 'video'],
    ['', 'video'],
    ['  klip.mp4  ', 'klip.mp4'],
    ['.mp4', '.mp4'],
    ['a/b\\c.mp4', 'c.mp4'],
    ['...', 'video'],
    ['e\u0301.mp4', '\u00e9.mp4'],
    ['a\ud800b\ufeff.mp4', 'ab.mp4'],
  ])('%j is shown as %j', (given, shown) => {
    expect(cleanFilename(given)).toBe(shown)
  })

  it('keeps its extension when it is too long', () => {
    const name = cleanFilename(`${'é'.repeat(500)}.mp4`)
    expect([...name]).toHaveLength(FILENAME_MAX)
    expect(name.endsWith('.mp4')).toBe(true)
  })

  it('takes no time for what nobody calls a file: marks upon marks', () => {
    const began = performance.now()
    const name = cleanFilename(`a${'\u0316\u0301'.repeat(50_000)}.mp4`)
    expect(performance.now() - began).toBeLessThan(250)
    expect([...name]).toHaveLength(FILENAME_MAX)
    expect(name.endsWith('.mp4')).toBe(true)
  })

  it('is never empty, never a path, never too long and stays the same when cleaned again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
        const name = cleanFilename(given)
        expect(name).not.toBe('')
        expect(name).not.toMatch(/[/\\]|\p{Cc}/u)
        expect([...name].length).toBeLessThanOrEqual(FILENAME_MAX)
        expect(cleanFilename(name)).toBe(name)
      }),
    )
  })
})

describe('a name that the user has already', () => {
  it('gets a number', () => {
    expect([0, 1, 2, 10].map(numberedNames('klip.mp4'))).toEqual([
      'klip.mp4',
      'klip (1).mp4',
      'klip (2).mp4',
      'klip (10).mp4',
    ])
    expect(numberedNames('.mp4')(1)).toBe('.mp4 (1)')
    expect(numberedNames('a.b c')(1)).toBe('a.b c (1)')
    expect(numberedNames('klip.akhiranku1')(1)).toBe('klip (1).akhiranku1')
    expect(numberedNames('klip.akhiranku12')(1)).toBe('klip.akhiranku12 (1)')
    expect(numberedNames('tanpa akhiran')(1)).toBe('tanpa akhiran (1)')
  })

  it('is cut where the number would make it too long, and never within a character', () => {
    const nameOf = numberedNames(`${'🏖'.repeat(FILENAME_MAX - 4)}.mp4`)
    for (const number of [1, 9, 10, 2, 100]) {
      expect([...nameOf(number)]).toHaveLength(FILENAME_MAX)
      expect(nameOf(number)).toMatch(new RegExp(`^🏖+ \\(${number}\\)\\.mp4$`, 'u'))
    }
  })
})
