import { readFile, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadWorkerId } from '../src/platform/worker-id.ts'
import { signIn, startProgram } from './support/program.ts'

const log = pino({ level: 'silent' })

describe('[MANY-02] the name of a machine', () => {
  let folder: TempDir
  beforeEach(async () => {
    folder = await tempDir('worker-id')
  })
  afterEach(() => folder.remove())

  const load = (settings: { workerId?: string; isDataDirShared?: boolean } = {}) =>
    loadWorkerId({ workerId: null, dataDir: folder.path, isDataDirShared: false, ...settings }, log)

  it('is made once, is the same at each start, and nobody else can read or change it', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => load()))
    expect(new Set(made).size).toBe(1)
    expect(made[0]).toMatch(/^[\w.-]+-[0-9a-f]{6}$/)
    expect(await load()).toBe(made[0])
    const file = join(folder.path, 'worker-id')
    expect((await readFile(file, 'utf8')).trim()).toBe(made[0])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('is the one that is set, and then nothing is written', async () => {
    expect(await load({ workerId: 'worker-1' })).toBe('worker-1')
    await expect(stat(join(folder.path, 'worker-id'))).rejects.toThrow('ENOENT')
  })

  it('is of this host alone where other hosts share the folder', async () => {
    await writeFile(join(folder.path, 'worker-id'), 'somebody-else')
    const made = await load({ isDataDirShared: true })
    expect(made).not.toBe('somebody-else')
    expect(await load({ isDataDirShared: true })).toBe(made)
  })

  it('is what it was before there were ids, where none can be written or read', async () => {
    await writeFile(join(folder.path, 'worker-id'), '???')
    expect(await load()).toBe(hostname())
    expect(await loadWorkerId({ workerId: null, dataDir: '/proc/self', isDataDirShared: false }, log)).toBe(hostname())
  })
})

it('[MANY-02] what a worker of the version before claimed under the name of its host is its own', async () => {
  const program = await startProgram()
  const { user } = await signIn(program.url)
  const owner = await program.db.selectFrom('users').select('id').where('email', '=', user.email).executeTakeFirstOrThrow()
  expect(owner.id).toEqual(expect.any(String))
  await program.close()
})
