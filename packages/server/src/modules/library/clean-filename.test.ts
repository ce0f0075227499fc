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
    expect(uniqueFilename('tanpa akhiran', new Set(['tanpa akhiran']))).toBe('tanpa akhiran (1)')
  })
})
