import { chown, link, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { giveDataToOwner } from '../src/platform/data-dir.ts'
import { loadAppSecret, readAppSecret } from '../src/platform/secrets/app-secret.ts'
import { placeFile } from '../src/platform/storage/durable.ts'
import { operatorAt } from './support/operator.ts'
import { signIn, startProgram } from './support/program.ts'

const NOBODY = 65534
const uidOf = async (path: string) => (await stat(path)).uid
const isRoot = process.geteuid?.() === 0

describe('[SAFE-04] a secret that is there and cannot be read', () => {
  it('is said in a sentence, and no other is made in its place', async () => {
    const folder = await tempDir('unreadable')
    // Root reads every file, but no folder as a file.
    await mkdir(join(folder.path, 'secret'))
    const words = /^the secret \S+\/secret, which belongs to user \d+, cannot be read by user \d+,.*chown$/
    await expect(loadAppSecret(null, folder.path)).rejects.toMatchObject({ faults: [expect.stringMatching(words)] })
    await expect(readAppSecret(null, folder.path)).rejects.toThrow(words)
    expect(await readdir(folder.path)).toEqual(['secret'])
    await folder.remove()
  })
})

describe.skipIf(!isRoot)('[SAFE-04] what root makes in a DATA_DIR of another user', () => {
  let folder: TempDir
  let dataDir: string

  beforeAll(async () => {
    folder = await tempDir('of-nobody')
    dataDir = await folderOfNobody('data')
  })
  afterAll(() => folder.remove())

  async function folderOfNobody(name: string): Promise<string> {
    const path = join(folder.path, name)
    await mkdir(path, { mode: 0o700 })
    await chown(path, NOBODY, NOBODY)
    return path
  }

  /** Everything in it that is not of the folder's owner. */
  async function strangersIn(path: string): Promise<string[]> {
    const names = (await readdir(path, { recursive: true })).filter((name) => !name.endsWith('.lock'))
    const owners = await Promise.all(names.map(async (name) => ({ name, uid: await uidOf(join(path, name)) })))
    return owners.filter(({ uid }) => uid !== NOBODY).map(({ name }) => name)
  }

  it('is the owner’s after a first start, while it runs and after its end', async () => {
    const program = await startProgram({ DATA_DIR: dataDir })
    await signIn(program.url)
    expect(await readdir(dataDir)).toEqual(expect.arrayContaining(['secret', 'siarin.db', 'siarin.db-wal', 'media']))
    expect(await strangersIn(dataDir)).toEqual([])
    await mkdir(join(dataDir, 'media', 'somebody'))
    await writeFile(join(dataDir, 'media', 'somebody', 'master.mp4'), 'picture')
    await program.close()
    expect(await strangersIn(dataDir)).toEqual([])
  })

  it('is the owner’s after a rotation of the secret and after a restore', async () => {
    const before = await readFile(join(dataDir, 'secret'), 'utf8')
    await operatorAt({ DATA_DIR: dataDir }).json('secret', 'rotate')
    expect(await readFile(join(dataDir, 'secret'), 'utf8')).not.toBe(before)
    expect(await strangersIn(dataDir)).toEqual([])

    const backup = join(folder.path, 'backup')
    await operatorAt({ DATA_DIR: dataDir }).json('backup', backup)
    const restored = await folderOfNobody('restored')
    await operatorAt({ DATA_DIR: restored }).json('restore', backup)
    expect(await readdir(restored)).toEqual(expect.arrayContaining(['secret', 'siarin.db', 'media']))
    expect(await strangersIn(restored)).toEqual([])
    expect(await uidOf(join(backup, 'manifest.json'))).toBe(0)
  })

  it('gives away nothing that only leads from there', async () => {
    const outside = join(folder.path, 'outside')
    await mkdir(outside)
    for (const name of ['linked', 'named-twice']) await writeFile(join(outside, name), 'of root')
    const of = await folderOfNobody('led-away')
    await symlink(outside, join(of, 'media'))
    await mkdir(join(of, 'work'))
    await symlink(join(outside, 'linked'), join(of, 'work', 'linked'))
    await link(join(outside, 'named-twice'), join(of, 'work', 'named-twice'))
    await giveDataToOwner(of)
    expect(await uidOf(join(of, 'work'))).toBe(NOBODY)
    for (const name of ['.', 'linked', 'named-twice']) expect(await uidOf(join(outside, name))).toBe(0)
  })

  it('a video that is placed as a copy is another file than that of the backup', async () => {
    const [from, to] = [join(folder.path, 'from'), join(folder.path, 'deep', 'to')]
    await writeFile(from, 'picture')
    await placeFile(from, to, { copied: true })
    expect(await readFile(to, 'utf8')).toBe('picture')
    expect((await stat(to)).ino).not.toBe((await stat(from)).ino)
  })
})
