import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readNotes, writeNotes } from './slot-notes.ts'
import { writeWhole } from './write-whole.ts'

describe('[SAFE-04] a file for which there is no room', () => {
  let folder: TempDir
  let spare: string
  beforeEach(async () => {
    folder = await tempDir('write-whole')
    spare = join(folder.path, 'spare')
  })
  afterEach(() => folder.remove())

  /** Whatever is written there finds no room. */
  const fill = (name: string) => symlinkSync('/dev/full', join(folder.path, `${name}.new`))

  it('is written elsewhere, and an older one is not taken for it', () => {
    writeFileSync(join(folder.path, 'a'), 'old')
    fill('a')
    const file = writeWhole(folder.path, 'a', 'new', spare)
    expect(file).toBe(join(spare, 'a'))
    expect(readFileSync(file, 'utf8')).toBe('new')
    expect(existsSync(join(folder.path, 'a'))).toBe(false)
  })

  it('is refused where there is no other place', () => {
    fill('a')
    expect(() => writeWhole(folder.path, 'a', 'new', null)).toThrow('ENOSPC')
  })

  it('is found by the next run of the program, until there is room again', () => {
    const note = (slot: 0 | 1) => ({ slot, opens: null, entry: null })
    fill('slots')
    writeNotes(folder.path, [note(0)], spare)
    expect(readNotes(folder.path, spare)).toEqual([note(0)])
    writeNotes(folder.path, [note(1)], spare)
    expect(readNotes(folder.path, spare)).toEqual([note(1)])
  })
})
