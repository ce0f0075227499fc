import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { serveOnLoopback } from '@siarin/testkit/loopback-http'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { describe, expect, it } from 'vitest'
import { call, processed, signIn, startProgram } from './support/program.ts'

const SLOW = 17
const PATIENT_PACE = { bytesPerSecond: 1, windowMs: 600_000 }

describe('[SAFE-07] imports of many accounts from servers that hardly send anything', { timeout: 120_000 }, () => {
  it('do not keep another account’s from beginning', async ({ onTestFinished }) => {
    const folder = await tempDir('slow-imports')
    onTestFinished(folder.remove)
    const clip = join(folder.path, 'klip.mp4')
    await makeClip(clip, { seconds: 1 })
    const bytes = await readFile(clip)
    let open = 0
    const host = await serveOnLoopback(async ({ url = '' }, response) => {
      if (url.includes('klip')) return void response.end(bytes)
      open++
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'), 200)
      response.once('close', () => clearInterval(timer))
    })
    onTestFinished(host.close)
    const program = await startProgram({}, { imports: PATIENT_PACE })
    onTestFinished(program.close)
    const importFrom = (apiKey: string, name: string) =>
      call(program.url, 'POST', '/fitur/video/import', { body: { apiKey, url: `${host.url}/${name}` } })

    const people = await Promise.all(Array.from({ length: SLOW + 1 }, () => signIn(program.url)))
    const [other = '', ...slow] = people.map(({ user }) => user.apiKey)
    for (const apiKey of slow) await importFrom(apiKey, 'tetes.mp4')
    await waitFor('them to be under way', async () => open >= SLOW - 1)
    await importFrom(other, 'klip.mp4')
    expect(await processed(program.url, other, 'klip.mp4')).toMatchObject({ status: 'ready' })
  })
})
