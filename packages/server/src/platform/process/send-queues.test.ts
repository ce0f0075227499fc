import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { createSendQueues, heldBackIn } from './send-queues.ts'

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

it('reads the lists of the kernel, and leaves out who holds nothing back', () => {
  const list = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:07E8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1077 1 00000000c8cc463d 100 0 0 10 0
   1: 0100007F:7443 0100007F:BB60 06 00000000:00000000 03:0000172A 00000000     0        0 0 3 00000000acf48e65
   2: 0100007F:D2F0 0100007F:078F 01 0002A3B4:00000000 01:00000014 00000000  1000        0 4026531 2 0000000000000000 20 4 30 10 -1
12345: 0100007F:D2F2 0100007F:078F 01 0000000A:00000007 01:00000014 00000000 4294967294        0 4026532 2 0000000000000000 20 4 30 10 -1
`
  const list6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0000000000000000FFFF00000100007F:9C40 0000000000000000FFFF00000100007F:078F 01 00100000:00000000 04:00000032 00000003     0        0 77 3 0000000000000000 21 4 30 10 -1
`
  expect(heldBackIn(list)).toEqual([
    ['4026531', 0x2a3b4],
    ['4026532', 10],
  ])
  expect(heldBackIn(list6)).toEqual([['77', 1_048_576]])
  expect(heldBackIn('')).toEqual([])
})
