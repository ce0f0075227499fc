import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, call, fromAddress, signIn, startProgram, type TestProgram } from './support/program.ts'

const LINES = 12
const OF_EACH = 4
const LONG_LIST = {
  name: 'Panjang',
  videos: Array.from({ length: 400 }, (_, at) => `video-${at}-${'x'.repeat(40)}.mp4`),
}

describe('[SAFE-07] bodies that are announced, and never come', { timeout: 120_000 }, () => {
  let program: TestProgram
  const held: Socket[] = []
  beforeAll(async () => {
    program = await startProgram({ TRUST_PROXY: 'true' })
  })
  afterAll(async () => {
    for (const socket of held) socket.destroy()
    await program.close()
  })

  /** Says that two megabytes come, and sends none of them. */
  async function announce(address: string, more = ''): Promise<void> {
    const { hostname, port } = new URL(program.url)
    const socket = connect(Number(port), hostname).on('error', () => {})
    held.push(socket)
    await once(socket, 'connect')
    const head =
      'PUT /fitur/branding/logo HTTP/1.1\r\nhost: x\r\ncontent-type: image/png\r\ncontent-length: 2097152\r\n'
    socket.write(`${head}x-forwarded-for: ${address}\r\n${more}\r\n`)
  }
  /** Judged: its videos do not exist. */
  const JUDGED = { status: 400, body: { code: 'source_invalid' } }

  it('of strangers take no room from known callers, with a session or a key, nor from strangers elsewhere', async () => {
    const { user, token } = await signIn(program.url)
    const save = (headers: Record<string, string>, body: object = LONG_LIST) =>
      call(program.url, 'POST', '/fitur/playlist', { body, headers: { ...headers, ...fromAddress('2001:db8:1:1::9') } })
    expect(await save(bearer(token))).toMatchObject(JUDGED)
    for (let line = 1; line <= LINES; line++) {
      for (let count = 0; count < OF_EACH; count++) {
        await announce(`2001:db8:1:${line}::1`, count % 2 ? 'authorization: Bearer salah\r\n' : '')
      }
    }
    // Until all of them have been read.
    await fetch(`${program.url}/healthz`)
    expect(await save(bearer(token))).toMatchObject(JUDGED)
    expect(await save({ 'x-api-key': user.apiKey })).toMatchObject(JUDGED)
    const elsewhere = { body: { ...LONG_LIST, apiKey: user.apiKey }, headers: fromAddress('203.0.113.7') }
    expect(await call(program.url, 'POST', '/fitur/playlist', elsewhere)).toMatchObject(JUDGED)
  })

  it('of one account take no room from another', async () => {
    const [busy, other] = [await signIn(program.url), await signIn(program.url)]
    for (let count = 0; count < LINES; count++) {
      await announce(`198.51.100.${count}`, `authorization: Bearer ${busy.token}\r\n`)
    }
    await fetch(`${program.url}/healthz`)
    const save = (token: string) =>
      call(program.url, 'POST', '/fitur/playlist', { body: LONG_LIST, headers: bearer(token) })
    expect(await save(other.token)).toMatchObject(JUDGED)
    expect(await save(busy.token)).toMatchObject({ status: 503, body: { code: 'server_busy' } })
  })
})
