import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/**
 * The yardstick of uploads, a program of its own as Siarin is: the least that Node can do with a body. `PUT /kept` answers, as Siarin does,
 * once the file would outlive a power cut; any other path as soon as the system has the bytes.
 */
const [, , folder = '.'] = process.argv

const server = createServer(async (incoming, response) => {
  await pipeline(incoming, createWriteStream(join(folder, 'plain'), { flush: incoming.url === '/kept' }))
  response.end('ok')
}).listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
