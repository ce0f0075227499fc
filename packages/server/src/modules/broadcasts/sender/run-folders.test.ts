import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRunFolders } from './run-folders.ts'

describe('[SAFE-04] the folders of running broadcasts', () => {
  let folder: TempDir
  let dirs: { runDir: string; diskDir: string }
  beforeEach(async () => {
    folder = await tempDir('run-folders')
    dirs = { runDir: join(folder.path, 'memory'), diskDir: join(folder.path, 'disk') }
    for (const dir of Object.values(dirs)) mkdirSync(dir)
  })
  afterEach(() => folder.remove())

  it('are in memory while there is room, and on the disk while there is none; what an earlier session left goes', () => {
    let free: number | null = 64 * 1024 ** 2
    const folders = createRunFolders({ ...dirs, freeBytes: () => free })
    const inMemory = { directory: join(dirs.runDir, 's1'), spare: join(dirs.diskDir, 's1.more') }
    const onDisk = { directory: join(dirs.diskDir, 's1'), spare: null }
    expect(folders.begin('s1')).toEqual(inMemory)
    mkdirSync(inMemory.directory)
    free = 1024 ** 2
    // What runs stays where it is.
    expect(folders.of('s1')).toEqual(inMemory)
    expect(folders.begin('s1')).toEqual(onDisk)
    expect(existsSync(inMemory.directory)).toBe(false)
    mkdirSync(onDisk.directory)
    writeFileSync(join(onDisk.directory, 'errors'), 'a key, perhaps')
    free = null
    expect(folders.of('s1')).toEqual(onDisk)
    expect(folders.begin('s1')).toEqual(inMemory)
    expect(existsSync(onDisk.directory)).toBe(false)
  })

  it('are found by the next run of the program, wherever they are', async () => {
    const full = createRunFolders({ ...dirs, freeBytes: () => 0 })
    mkdirSync(full.begin('s1').directory)
    mkdirSync(join(dirs.diskDir, 's2.more'))
    const next = createRunFolders(dirs)
    expect(next.all).toEqual([dirs.runDir, dirs.diskDir])
    await next.takeStock()
    expect(next.of('s1').directory).toBe(join(dirs.diskDir, 's1'))
    expect(next.of('s2').directory).toBe(join(dirs.runDir, 's2'))
  })

  it('have no other place where there is no memory disk', () => {
    const folders = createRunFolders({ runDir: dirs.diskDir, diskDir: dirs.diskDir, freeBytes: () => 0 })
    expect(folders.all).toEqual([dirs.diskDir])
    expect(folders.begin('s1')).toEqual({ directory: join(dirs.diskDir, 's1'), spare: null })
  })
})
