import { randomBytes } from 'node:crypto'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { startS3Server } from '@siarin/testkit/s3-server'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { expect, it } from 'vitest'
import { signIn } from './support/program.ts'
import { locationOf, tusOf } from './support/tus.ts'

const SENT_BYTES = 1_000_000

it('[SAFE-03] parts of an upload that a kill leaves on the disk go at the next start', {
  timeout: 300_000,
}, async () => {
  await using props = new AsyncDisposableStack()
  const folder = props.adopt(await tempDir('left-parts'), (dir) => dir.remove())
  const s3 = props.adopt(await startS3Server(), (server) => server.stop())
  const temporary = join(folder.path, 'tmp')
  await mkdir(temporary)
  const siarin = props.adopt(await startSiarin({ env: { ...s3.env, TMPDIR: temporary } }), (each) => each.dispose())
  const parts = join(siarin.dataDir, 'resumable', 'parts')
  const left = async (): Promise<number> => {
    const entries = await readdir(parts, { recursive: true, withFileTypes: true }).catch(() => [])
    const files = entries.filter((entry) => entry.isFile())
    const sizes = await Promise.all(
      files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
    )
    return sizes.reduce((sum, size) => sum + size, 0)
  }

  const { user } = await signIn(siarin.url)
  const location = locationOf(await tusOf(siarin.url, user.apiKey).create(20 * SENT_BYTES))
  const sending = request(new URL(location, siarin.url), {
    method: 'PATCH',
    headers: {
      'x-api-key': user.apiKey,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': 20 * SENT_BYTES,
    },
  })
  sending.on('error', () => {})
  sending.write(randomBytes(SENT_BYTES))
  await waitFor('the first bytes of a part', async () => (await left()) > 0)
  await siarin.kill9()
  sending.destroy()
  expect(await left()).toBeGreaterThan(0)
  await siarin.restart()
  expect(await left()).toBe(0)
  expect(await readdir(temporary)).toEqual([])
})
