import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { createSendQueues } from './send-queues.ts'

it('knows what a process has sent that the other side does not take', async () => {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const accepted = once(server, 'connection')
  const sender = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [receiver] = (await accepted) as [Socket]

  // The test's own process also has other connections, but none that holds this much back.
  expect(await createSendQueues().of(process.pid)()).toBeLessThan(100_000)
  sender.write(Buffer.alloc(20_000_000))
  const unsent = createSendQueues().of(process.pid)
  await expect.poll(unsent, { interval: 500, timeout: 20_000 }).toBeGreaterThan(1_000_000)

  receiver.resume()
  await expect.poll(unsent, { interval: 500, timeout: 20_000 }).toBeLessThan(100_000)
  sender.destroy()
  server.close()
})

it('counts nothing for a process that is gone', async () => {
  expect(await createSendQueues().of(2 ** 30)()).toBe(0)
})
