import { type AddressInfo, createServer } from 'node:net'
import { startDnsServer } from '@siarin/testkit/dns-server'
import { startWebhookReceiver } from '@siarin/testkit/webhook-receiver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEgress, EgressRefused, PostFailed } from '../src/platform/egress/egress.ts'
import { isOutside, type OutsideAndInside, openOutsideAndInside } from './support/outside-inside.ts'
import { call, startProgram, type TestProgram } from './support/program.ts'
import { hookOwner } from './support/webhooks.ts'

const options = { headers: { 'content-type': 'application/json' }, body: '{}', timeoutMs: 1_000, mostBytes: 4096 }
const signal = AbortSignal.timeout(60_000)

describe('what is sent to an address of a user', () => {
  let world: OutsideAndInside
  beforeAll(async () => {
    world = await openOutsideAndInside((request, response) => {
      const to = new URL(request.url ?? '', 'http://outside').searchParams.get('to')
      if (to) response.writeHead(307, { location: to }).end()
      else response.end('isi')
    })
  })
  afterAll(() => world.close())

  it('[HOOK-03] reaches nothing inside: by number, by name, by a name that changes its mind, by a redirect', async () => {
    const dns = await startDnsServer({
      'inside.test': [['127.0.0.1']],
      'both.test': [['127.0.0.2', '127.0.0.1']],
      'turning.test': [['127.0.0.2'], ['127.0.0.1']],
    })
    const egress = createEgress({ allowPrivateNetwork: false, dnsServers: [dns.address], isAllowed: isOutside })
    const port = world.insidePort
    for (const host of ['127.0.0.1', '[::1]', '0x7f.1', 'inside.test', 'both.test']) {
      const sent = egress.post(new URL(`http://${host}:${port}/`), { ...options, signal })
      await expect(sent, host).rejects.toThrow(new EgressRefused('forbidden'))
    }
    expect(await egress.resolve('turning.test')).toEqual(['127.0.0.2'])
    await expect(egress.post(new URL(`http://turning.test:${port}/`), { ...options, signal })).rejects.toThrow(
      new EgressRefused('forbidden'),
    )
    await expect(egress.post(new URL('http://nowhere.test/'), { ...options, signal })).rejects.toThrow(
      new EgressRefused('unknown-host'),
    )
    await expect(egress.post(new URL('http://127.0.0.2:25/'), { ...options, signal })).rejects.toThrow(
      new EgressRefused('forbidden'),
    )
    const redirected = await egress.post(new URL(`${world.outside}/?to=${world.inside}`), { ...options, signal })
    expect(redirected.status).toBe(307)
    expect((await egress.post(new URL(world.outside), { ...options, signal })).text).toBe('isi')
    expect(world.reached()).toBe(0)
    await dns.stop()
  })

  it('[HOOK-02] goes over kept connections, also where the other side closes them meanwhile', async () => {
    let connections = 0
    let answers = 0
    const server = createServer((socket) => {
      connections += 1
      let own = 0
      socket.on('error', () => {})
      socket.on('data', () => {
        own += 1
        // Every third request of a connection finds that it has been closed.
        if (own === 3) return void socket.destroy()
        answers += 1
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const egress = createEgress({ allowPrivateNetwork: true, dnsServers: [] })
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    for (let count = 0; count < 10; count++) {
      expect(await egress.post(url, { ...options, signal })).toMatchObject({ status: 200, text: 'ok' })
    }
    expect(answers).toBe(10)
    expect(connections).toBe(5)
    server.close()
  })

  it('[HOOK-02] reads no more of an answer than was said, and waits no longer', async () => {
    const receiver = await startWebhookReceiver()
    const egress = createEgress({ allowPrivateNetwork: true, dnsServers: [] })
    const post = (name: string) => egress.post(new URL(receiver.urlOf(name)), { ...options, signal })
    receiver.answer('large', { status: 500, body: 'x'.repeat(10_000_000) })
    expect(await post('large')).toMatchObject({ status: 500, text: 'x'.repeat(4096) })
    receiver.answer('drip', 'drip')
    const begun = performance.now()
    const dripped = await egress.post(new URL(receiver.urlOf('drip')), { ...options, timeoutMs: 60_000, signal })
    expect(dripped).toMatchObject({ status: 200, text: expect.stringMatching(/^\.+$/) })
    // A second is waited for the rest of it.
    expect(performance.now() - begun).toBeLessThan(5_000)
    receiver.answer('hang', 'hang')
    await expect(post('hang')).rejects.toThrow(new PostFailed('timed-out'))
    await receiver.dispose()
    await expect(post('away')).rejects.toThrow(new PostFailed('unreachable'))
  })
})

describe('a webhook at a private address', () => {
  let program: TestProgram
  beforeAll(async () => {
    program = await startProgram({ ALLOW_PRIVATE_NETWORK: 'false' })
  })
  afterAll(() => program.close())

  it('[HOOK-03] is refused, and one that leads there later is not reached', async () => {
    const receiver = await startWebhookReceiver()
    const one = await hookOwner(program)
    const { port } = new URL(receiver.urlOf(''))
    for (const url of [`http://127.0.0.1:${port}/x`, `http://localhost:${port}/x`, 'http://169.254.169.254/latest']) {
      expect(await one.add(url), url).toMatchObject({ status: 400, body: { code: 'webhook_forbidden' } })
    }
    expect((await one.add('https://8.8.8.8:22/x')).body.code).toBe('webhook_forbidden')
    const { id } = (await one.add('https://8.8.8.8/x')).body.data
    const moved = await one.ask('PATCH', `/${id}`, { url: receiver.urlOf('inside') })
    expect(moved.body.code).toBe('webhook_forbidden')
    expect(await one.get(id)).toMatchObject({ url: 'https://8.8.8.8/x', warning: null })
    const byKey = await call(program.url, 'GET', `/fitur/webhook/${id}?apiKey=${one.user.apiKey}`)
    expect(byKey.status).toBe(200)
    expect(receiver.received('inside')).toEqual([])
    await receiver.dispose()
  })
})
