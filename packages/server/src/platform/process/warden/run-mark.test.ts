import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadRunMark } from './run-mark.ts'

describe('[MANY-02] the mark of a folder of processes', () => {
  let folder: TempDir
  beforeEach(async () => {
    folder = await tempDir('run-mark')
  })
  afterEach(() => folder.remove())

  it('is the same for who finds the folder again, and another one in another folder', () => {
    const [one = '', other = ''] = ['one', 'other'].map((name) => join(folder.path, name))
    for (const directory of [one, other]) mkdirSync(directory)
    expect(loadRunMark(one)).toBe(loadRunMark(one))
    expect(loadRunMark(other)).not.toBe(loadRunMark(one))
  })

  it("is of one run alone where it cannot be written: nobody is taken for that run's successor", () => {
    const nowhere = join(folder.path, 'nowhere')
    expect(loadRunMark(nowhere)).not.toBe(loadRunMark(nowhere))
  })
})
