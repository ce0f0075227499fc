import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeToOthers } from '../src/platform/data-dir.ts'
import { openSqlite } from '../src/platform/db/database.ts'
import { startProgram } from './support/program.ts'

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe('[SAFE-04] a DATA_DIR that was there before, open to others', () => {
  let folder: TempDir

  beforeAll(async () => {
    folder = await tempDir('open-folder')
    await chmod(folder.path, 0o755)
  })
  afterAll(() => folder.remove())

  it('keeps database, secret and every folder from them, those of an earlier version too', async () => {
    const old = openSqlite(join(folder.path, 'siarin.db'))
    await old.destroy()
    await chmod(join(folder.path, 'siarin.db'), 0o644)
    for (const name of ['media', 'resumable', 'backups']) await mkdir(join(folder.path, name), { mode: 0o755 })
    const program = await startProgram({ DATA_DIR: folder.path })
    const names = (await readdir(folder.path)).filter((name) => !name.endsWith('.lock'))
    const modes = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await modeOf(join(folder.path, name))])),
    )
    await program.close()
    const [file, inside] = ['600', '700']
    expect(modes).toEqual({
      ...{ 'siarin.db': file, 'siarin.db-wal': file, 'siarin.db-shm': file, secret: file, 'worker-id': file },
      'siarin.db-reserve': file,
      ...{ media: inside, recording: inside, uploads: inside, resumable: inside, work: inside, backups: inside },
    })
  })

  it('has a new database that nobody else could ever read', async () => {
    const dataDir = join(folder.path, 'new')
    await mkdir(dataDir)
    await closeToOthers({ dataDir, hasSqlite: true, log: pino({ level: 'silent' }) })
    expect(await modeOf(join(dataDir, 'siarin.db'))).toBe('600')
  })

  it('is warned of where its modes cannot be changed', async () => {
    const dataDir = join(folder.path, 'unchangeable')
    await mkdir(dataDir)
    // Nobody changes the mode of what the kernel shows there.
    await symlink('/proc/self', join(dataDir, 'work'))
    await writeFile(join(dataDir, 'uploads'), '', { mode: 0o600 })
    const said: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) })
    await closeToOthers({ dataDir, hasSqlite: false, log })
    expect(said.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ path: join(dataDir, 'work'), msg: expect.stringContaining('other users') }),
    ])
    expect(await readdir(dataDir)).not.toContain('siarin.db')
  })
})
