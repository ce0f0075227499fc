import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import { tempDir } from '@siarin/testkit/temp-dir'
import { expect, it } from 'vitest'
import { placeOf } from './s3-client.ts'
import { putFile } from './s3-put.ts'

it('a file that is gone when it is to be sent is a fault of its sending, and ends no program', async () => {
  const store = createServer((request, response) => request.resume().on('end', () => response.end())).listen(0)
  await once(store, 'listening')
  const { port } = store.address() as AddressInfo
  const folder = await tempDir('put')
  const keys = { accessKeyId: 'a', secretAccessKey: new Secret('b') }
  const place = placeOf({ endpoint: `http://127.0.0.1:${port}`, region: 'x', bucket: 'b', prefix: '', ...keys })
  const sent = putFile(place, 'video', { file: join(folder.path, 'gone'), bytes: 10 })
  await expect(sent).rejects.toMatchObject({ code: 'ENOENT' })
  place.client.destroy()
  store.closeAllConnections()
  store.close()
  await folder.remove()
}, 40_000)
