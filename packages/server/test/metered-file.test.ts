import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openMeteredFile } from '../src/modules/library/metered-file.ts'

const PIECE_BYTES = 64 * 1024
const plenty = { admit: async () => Number.MAX_SAFE_INTEGER, wrote: () => {} }

let folder: TempDir
beforeAll(async () => {
  folder = await tempDir('metered')
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => folder.remove())

/** As a socket brings them: each with memory of its own. */
const pieces = (count: number): Buffer[] => Array.from({ length: count }, () => Buffer.alloc(PIECE_BYTES, 7))

describe('a file on its way in', () => {
  it('gives the memory of what has been written back, and leaves memory that others share', async () => {
    const [own, shared] = [randomBytes(PIECE_BYTES), randomBytes(PIECE_BYTES)]
    const half = shared.subarray(0, 100)
    const expected = Buffer.concat([own, half])
    const file = join(folder.path, 'own')
    await pipeline(Readable.from([own, half]), openMeteredFile(file, plenty))
    expect(own.length).toBe(0)
    expect(shared.length).toBe(PIECE_BYTES)
    expect(await readFile(file)).toEqual(expected)
  })

  it('goes to the disk while it comes, and is closed after that', async () => {
    const { fdatasync, close } = fs
    const calls: string[] = []
    vi.spyOn(fs, 'fdatasync').mockImplementation((fd, done) => {
      calls.push('flush')
      fdatasync(fd, (error) => {
        calls.push('flushed')
        setTimeout(() => done(error), 50)
      })
    })
    vi.spyOn(fs, 'close').mockImplementation((fd, done) => {
      calls.push('close')
      close(fd, done)
    })
    await pipeline(Readable.from(pieces(600)), openMeteredFile(join(folder.path, 'early'), plenty))
    expect(calls).toEqual(['flush', 'flushed', 'close'])
  })

  it('[SAFE-03] that the disk lost is refused: the system tells of it once', async () => {
    const lost = Object.assign(new Error('lost'), { code: 'EIO' })
    vi.spyOn(fs, 'fdatasync').mockImplementation((_, done) => void setImmediate(() => done(lost)))
    const written = pipeline(Readable.from(pieces(600)), openMeteredFile(join(folder.path, 'lost'), plenty))
    await expect(written).rejects.toBe(lost)
  })
})
