import { appendFileSync, closeSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lastOutTimeMs, tailOf, watchErrors } from './progress-file.ts'

const MIB = 1024 ** 2

describe('[SAFE-04] what ffmpeg complains of', () => {
  let folder: TempDir
  let file: string
  beforeEach(async () => {
    folder = await tempDir('progress-file')
    file = join(folder.path, 'errors')
  })
  afterEach(() => folder.remove())

  it('never takes much memory, and its end is kept in whole lines', async () => {
    const floods = watchErrors(file)
    const ffmpeg = openSync(file, 'a')
    for (let second = 0; second < 50; second++) {
      for (let line = 0; line < 2_000; line++)
        writeSync(ffmpeg, `second ${second}: packet ${line} is corrupt, ${'x'.repeat(80)}\n`)
      expect(floods()).toBe(false)
      expect(statSync(file).size).toBeLessThan(MIB / 2)
    }
    writeSync(ffmpeg, 'the last word\n')
    closeSync(ffmpeg)
    const lines = (await tailOf(file)).trimEnd().split('\n')
    expect(lines.at(-1)).toBe('the last word')
    expect(lines.at(-2)).toMatch(/^second 49: packet 1999 is corrupt, x+$/)
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/^second \d+: packet \d+ is corrupt, x{80}$/)
  })

  it('keeps nothing of a line without an end', () => {
    writeFileSync(file, 'k'.repeat(2 * MIB))
    watchErrors(file)()
    expect(statSync(file).size).toBe(0)
  })

  it('stays as it is while it is little, and may be gone', () => {
    appendFileSync(file, 'a word\n')
    watchErrors(file)()
    expect(statSync(file).size).toBe(7)
    expect(watchErrors(join(folder.path, 'nothing'))()).toBe(false)
  })

  it('is a flood by what came since the last look, not by what lay there before the first', () => {
    const much = 'complaint\n'.repeat(MIB)
    const floods = watchErrors(file)
    const lookAfter = (text: string) => {
      appendFileSync(file, text)
      const said = floods()
      expect(statSync(file).size).toBeLessThan(MIB / 2)
      return said
    }
    expect(['', 'a word\n', much, 'a word\n'].map(lookAfter)).toEqual([false, false, true, false])
    appendFileSync(file, much)
    expect(watchErrors(file)()).toBe(false)
  })
})

describe('[REC-01] how far an ffmpeg came', () => {
  const said = (ended: boolean, outTimeMs: number | null = 5_000) => ({
    ...{ frame: 1, fps: 25, bitrateKbps: 800, totalBytes: 1, speed: 1 },
    ...{ ended, outTimeMs },
  })

  it('is what it says as it ends, and a moment more where it was killed, unless it was stuck', () => {
    expect(lastOutTimeMs({ progress: said(true), agoMs: 400 })).toBe(5_000)
    expect(lastOutTimeMs({ progress: said(false), agoMs: 400 })).toBe(5_400)
    // Its end was seen late, on a busy machine: it would have spoken once more.
    expect(lastOutTimeMs({ progress: said(false), agoMs: 1_900 })).toBe(6_000)
    expect(lastOutTimeMs({ progress: said(false), agoMs: 12_000 })).toBe(5_000)
    expect(lastOutTimeMs({ progress: said(false, null), agoMs: 400 })).toBeNull()
  })
})
