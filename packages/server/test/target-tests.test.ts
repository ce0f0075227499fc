import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import { initialState } from '@siarin/media/stream-state'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStreamsRepo } from '../src/modules/broadcasts/store/streams.repo.ts'
import { processesWithArgument } from '../src/platform/process/find-processes.ts'
import { createSealer } from '../src/platform/secrets/seal.ts'
import { bearer, call, signIn, startProgram, type TestProgram } from './support/program.ts'

let rtmp: RtmpServer
let program: TestProgram

beforeAll(async () => {
  rtmp = await startRtmpServer()
  program = await startProgram()
})
afterAll(async () => {
  await program.close()
  await rtmp.stop()
})

async function someone() {
  const { user, token } = await signIn(program.url)
  const headers = bearer(token)
  const add = async (address: string, key: string): Promise<string> => {
    const body = { name: `Tujuan ${randomUUID()}`, platform: 'lain', address, key }
    return (await call(program.url, 'POST', '/fitur/target', { body, headers })).body.data.id
  }
  return {
    user,
    add,
    test: (id: string) => call(program.url, 'POST', `/fitur/target/${id}/test`, { headers }),
    checkOf: async (id: string) => (await call(program.url, 'GET', `/fitur/target/${id}`, { headers })).body.data.check,
  }
}

const senders = (): Promise<unknown[]> => processesWithArgument(`${rtmp.url}/`)

describe('[TGT-04] a test of a target', () => {
  it('that takes it says so, and nothing stays on air', async () => {
    const one = await someone()
    const id = await one.add(rtmp.url, 'kunci-uji-diterima')
    const answer = one.test(id)
    const seen = await rtmp.waitForPublisher('kunci-uji-diterima', { growing: true })
    expect(seen).toBeTruthy()
    expect(await one.test(id)).toMatchObject({ status: 409, body: { code: 'target_test_running' } })
    expect(await answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: 'Platform menerima siaran uji coba. Tujuan ini siap dipakai.',
        data: { outcome: 'taken' },
      },
    })
    await rtmp.waitForNoPublisher('kunci-uji-diterima')
    expect(await senders()).toEqual([])
    expect(await one.checkOf(id)).toMatchObject({ outcome: 'taken' })
    const activity = await program.activityOf(one.user.email)
    expect(activity.map(({ kind }) => kind)).toContain('target-tested')
    expect(`${program.logged()}${await program.dump()}`).not.toContain('kunci-uji')
  })

  it('whose key is refused, or whose server cannot be reached, says which', async () => {
    const one = await someone()
    const refused = await one.add(rtmp.refusingUrl, 'kunci-uji-ditolak')
    expect((await one.test(refused)).body).toMatchObject({
      message:
        'Platform menolak stream key, atau key itu sedang dipakai siaran lain. Salin lagi key-nya dari platform.',
      data: { outcome: 'refused' },
    })
    const away = await one.add('rtmp://127.0.0.1:1/live', 'kunci-uji-jauh')
    expect((await one.test(away)).body).toMatchObject({
      message: expect.stringContaining('Server platform tidak bisa dihubungi'),
      data: { outcome: 'unreachable' },
    })
    const check = await one.checkOf(away)
    expect(check).toMatchObject({ outcome: 'unreachable' })
    expect(program.logged()).not.toContain('kunci-uji-d')
    expect(program.logged()).not.toContain('kunci-uji-j')
  })

  it('that breaks off in the middle says so', async () => {
    const one = await someone()
    const id = await one.add(rtmp.url, 'kunci-uji-putus')
    const answer = one.test(id)
    await rtmp.waitForPublisher('kunci-uji-putus', { growing: true })
    await rtmp.dropPublisher('kunci-uji-putus')
    expect((await answer).body).toMatchObject({
      message: expect.stringContaining('lalu memutusnya'),
      data: { outcome: 'broke-off' },
    })
  })

  it('is refused while a broadcast of the same workspace goes there, which it would cut off', async () => {
    const one = await someone()
    const id = await one.add(rtmp.url, 'kunci-uji-tayang')
    const sealer = createSealer(new Secret((await readFile(join(program.dataDir, 'secret'), 'utf8')).trim()))
    const { id: owner } = await program.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', one.user.email)
      .executeTakeFirstOrThrow()
    await createStreamsRepo(program.db).insert({
      ...{
        id: randomUUID(),
        user_id: owner,
        source: 'klip.mp4',
        platform: 'lain',
        target_sealed: 's',
        target_host: 'h',
      },
      target_mark: sealer.mark(new Secret(`${rtmp.url}/kunci-uji-tayang`)),
      ...{ looping: 1, desired: 'live', phase: 'waiting', state: JSON.stringify(initialState), created_at: 0 },
    })
    expect(await one.test(id)).toMatchObject({ status: 409, body: { code: 'target_in_use' } })
    expect(await one.checkOf(id)).toBeNull()
    expect(await rtmp.publisher('kunci-uji-tayang')).toBeNull()
  })

  it('is one of two in the whole program: a third waits until one has hung for a while; and it ends with the program', async () => {
    const deaf = await listenDeaf()
    const address = `rtmp://127.0.0.1:${deaf.port}/live`
    const [one, two, three] = [await someone(), await someone(), await someone()]
    const running = [one.test(await one.add(address, 'k-1')), two.test(await two.add(address, 'k-2'))].map((answer) =>
      answer.catch(() => null),
    )
    await waitFor('both tests to be sent', async () => (await processesWithArgument(address)).length === 2)
    const third = await three.test(await three.add(rtmp.url, 'kunci-ketiga'))
    expect(third).toMatchObject({ status: 200, body: { data: { outcome: 'taken' } } })
    await program.close()
    await Promise.all(running)
    await waitFor('their ffmpegs to be gone', async () => (await processesWithArgument(address)).length === 0)
    deaf.server.close()
    program = await startProgram()
  })
})

/** Takes connections and says nothing. */
async function listenDeaf(): Promise<{ server: Server; port: number }> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { server, port: address && typeof address === 'object' ? address.port : 0 }
}
