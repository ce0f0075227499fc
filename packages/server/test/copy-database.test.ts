import { mkdir, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { dumpPostgres } from '../src/platform/backup/copy-database.ts'
import { operatorAt } from './support/operator.ts'
import { emptyPostgres, migratedPostgres } from './support/shared-servers.ts'

const SSL_REQUEST = 80_877_103
const STARTUP = 196_608
const PASSWORD_MESSAGE = 'p'.charCodeAt(0)
const askPassword = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 3])

/** Speaks as much of PostgreSQL as asking for a password, and takes none. `silent`: never answers at all. */
async function startServer(folder: string, { silent = false } = {}) {
  const passwords: string[] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      if (silent) return
      if (data[0] === PASSWORD_MESSAGE) {
        passwords.push(data.subarray(5, -1).toString())
        socket.destroy()
      } else if (data.readInt32BE(4) === SSL_REQUEST) socket.write('N')
      else if (data.readInt32BE(4) === STARTUP) socket.write(askPassword)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    passwords,
    dump: (more = {}) =>
      dumpPostgres(new Secret(`postgres://siarin@127.0.0.1:${port}/siarin`), join(folder, 'dump'), more),
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe('[SAFE-05] a dump of PostgreSQL', () => {
  let folder: TempDir
  let server: Awaited<ReturnType<typeof startServer>>

  beforeAll(async () => {
    folder = await tempDir('dump')
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await server.stop()
  })
  afterAll(() => folder.remove())

  it('asks nobody for a password: what is not in the settings fails', async () => {
    server = await startServer(folder.path)
    await expect(server.dump()).rejects.toThrow('no password supplied')
  })

  it('takes the password from the environment, as the program does', async () => {
    server = await startServer(folder.path)
    vi.stubEnv('PGPASSWORD', 'from-the-environment')
    await expect(server.dump()).rejects.toThrow('pg_dump failed')
    expect(server.passwords).toEqual(['from-the-environment'])
  })

  it('ends where the server does not answer for as long as it may take', async () => {
    server = await startServer(folder.path, { silent: true })
    await expect(server.dump({ timeoutMs: 1_000 })).rejects.toThrow('took longer than 1 s')
  })
})

describe('[SAFE-05] a restore into PostgreSQL', () => {
  it('that broke off after its last row is finished by the same command, and by no other', async () => {
    const [folder, source, target] = await Promise.all([tempDir('restore'), migratedPostgres(), emptyPostgres()])
    const at = (name: string, url: string) =>
      operatorAt({ DATA_DIR: join(folder.path, name), DATABASE_URL: url, APP_SECRET: 'a-secret-of-enough-length' })
    const [one, other] = [join(folder.path, 'one'), join(folder.path, 'other')]
    await mkdir(join(folder.path, 'from'))
    for (const to of [one, other]) await at('from', source.url).json('backup', to)
    const copy = at('to', target.url)
    await copy.json('restore', one)

    const mark = join(folder.path, 'to', 'restoring')
    await writeFile(mark, one)
    expect((await copy.run('restore', other)).err).toContain('is not empty')
    await copy.json('restore', one)
    expect(await stat(mark).catch(() => null)).toBeNull()
    await Promise.all([source.drop(), target.drop(), folder.remove()])
  })
})
