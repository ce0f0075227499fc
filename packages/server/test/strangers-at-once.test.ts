import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { loopProbe } from '@siarin/testkit/loop-probe'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** Five times what one turn of the event loop may take: other tests run beside. */
const MOST_MS = 250
const CONNECTIONS = 60

/** People without an account, who send as much as one address may have open at one moment. */
describe('[SAFE-07] a stranger who sends much at one moment does not hold the loop', { timeout: 120_000 }, () => {
  let folder: Awaited<ReturnType<typeof tempDir>>
  let probe: ReturnType<typeof loopProbe>
  let siarin: Siarin

  beforeAll(async () => {
    folder = await tempDir('strangers')
    probe = loopProbe(join(folder.path, 'probe.sock'))
    siarin = await startSiarin({ flags: probe.flags, env: { ...probe.env, LOG_LEVEL: 'warn' } })
    // Until its code is warm.
    for (let count = 0; count < 20; count++) await fetch(`${siarin.url}/healthz`)
  })
  afterAll(async () => {
    await siarin.dispose()
    await folder.remove()
  })

  /** All but the last byte first, so that everything is complete at the same moment. */
  async function sendAtOnce(text: string, last: string): Promise<Socket[]> {
    const { hostname, port } = new URL(siarin.url)
    const sockets = await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        const socket = connect(Number(port), hostname).on('error', () => {})
        await once(socket, 'connect')
        socket.resume().write(text)
        return socket
      }),
    )
    await sleep(500)
    await probe.look()
    for (const socket of sockets) socket.write(last)
    return sockets
  }

  async function heldMs(text: string, last: string): Promise<number> {
    const sockets = await sendAtOnce(text, last)
    await fetch(`${siarin.url}/healthz`)
    await sleep(1_000)
    for (const socket of sockets) socket.destroy()
    const { cpuMs } = await probe.look()
    process.stdout.write(`the loop was held for ${Math.round(cpuMs)} ms\n`)
    return cpuMs
  }

  const post = (body: string, more = ''): string =>
    `POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n${more}\r\n${body}`

  it('by small requests without a pause', async () => {
    const flood = 'GET /x HTTP/1.1\r\nHost:x\r\n\r\n'.repeat(2_400)
    expect(await heldMs('', flood)).toBeLessThan(MOST_MS)
  })

  it('by a body in crumbs', async () => {
    const head = 'POST /auth/login HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n'
    expect(await heldMs(head, '1\r\n{\r\n'.repeat(10_000))).toBeLessThan(MOST_MS)
  })

  it.each([
    ['a body that is nothing but brackets', `{"constructor":1,"email":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['a body of thousands of values', `{"constructor":1,"email":[${'{},'.repeat(15_000)}{}]}`],
  ])('by %s', async (_, body) => {
    const whole = post(body)
    expect(await heldMs(whole.slice(0, -1), whole.slice(-1))).toBeLessThan(MOST_MS)
  })

  it('by asking for the description of all calls', async () => {
    const asked = 'GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'
    expect(await heldMs('', asked.repeat(8))).toBeLessThan(MOST_MS)
  })

  it('keeps no more of bodies that never end than there is room for', async () => {
    const body = `{"name":"${'x'.repeat(300_000)}"}`
    const head = `POST /fitur/playlist HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length + 1}\r\n\r\n`
    const { hostname, port } = new URL(siarin.url)
    const replies = Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect(Number(port), hostname).on('error', () => {})
      socket.write(head + body)
      const answer = await Promise.race([once(socket, 'data'), sleep(3_000, null)])
      socket.destroy()
      return answer === null ? 'kept' : String(answer[0]).slice(9, 12)
    })
    const counts = Object.groupBy(await Promise.all(replies), (each) => each)
    expect([counts['kept']?.length, counts['503']?.length]).toEqual([27, CONNECTIONS - 27])
    // A call of the usual size is let in meanwhile, and the room is free again once they have gone.
    expect((await fetch(`${siarin.url}/auth/login`, { method: 'POST' })).status).toBe(400)
  })
})
