import { FILENAME_MAX } from '@siarin/contracts/limits'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanFilename, uniqueFilename } from './clean-filename.ts'

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
  it('gets the next free number', () => {
    expect(uniqueFilename('klip.mp4', new Set())).toBe('klip.mp4')
    expect(uniqueFilename('klip.mp4', new Set(['klip.mp4']))).toBe('klip (1).mp4')
    expect(uniqueFilename('klip.mp4', new Set(['klip.mp4', 'klip (1).mp4']))).toBe('klip (2).mp4')
    expect(uniqueFilename('.mp4', new Set(['.mp4']))).toBe('.mp4 (1)')
    expect(uniqueFilename('a.b c', new Set(['a.b c']))).toBe('a.b c (1)')
    expect(uniqueFilename('klip.akhiranku1', new Set(['klip.akhiranku1']))).toBe('klip (1).akhiranku1')
    expect(uniqueFilename('klip.akhiranku12', new Set(['klip.akhiranku12']))).toBe('klip.akhiranku12 (1)')
    expect(uniqueFilename('tanpa akhiran', new Set(['tanpa akhiran']))).toBe('tanpa akhiran (1)')
  })

  it('is cut where the number would make it too long, and never within a character', () => {
    const name = `${'🏖'.repeat(FILENAME_MAX - 4)}.mp4`
    const next = uniqueFilename(name, new Set([name]))
    expect([...next]).toHaveLength(FILENAME_MAX)
    expect(next).toMatch(/^🏖+ \(1\)\.mp4$/u)
  })
})
