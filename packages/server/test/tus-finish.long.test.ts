import { chmod, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClip } from '@siarin/testkit/clips'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES, showsAll, type TestDatabases } from './support/databases.ts'
import { bearer, call, processed, signIn, videosOf } from './support/program.ts'
import { locationOf, tusOf } from './support/tus.ts'

const AT_ONCE = 6
/** A frozen program answers nobody: the test says so instead of waiting with it. */
const FROZEN_MS = 40_000

let folder: Awaited<ReturnType<typeof tempDir>>
let bytes: Buffer

beforeAll(async () => {
  folder = await tempDir('tus-finish')
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 2 })
  bytes = await readFile(clip)
})
afterAll(() => folder.remove())

/** ffprobe, but what it says of an upload that is being finished comes when the test lets it: at one moment for all. */
async function makeSlowProbe() {
  const [path, looks, held] = ['ffprobe', 'looks', 'held'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ]
  const { FFPROBE_PATH = '' } = process.env
  const script = `#!/bin/sh
said=$('${FFPROBE_PATH || 'ffprobe'}' "$@"); code=$?
case "$*" in */resumable/*)
  echo >> '${looks}'
  while [ -e '${held}' ]; do sleep 0.05; done
esac
echo "$said"; exit $code
`
  await writeFile(path, script)
  await chmod(path, 0o755)
  return {
    path,
    async hold() {
      await writeFile(looks, '')
      await writeFile(held, '')
    },
    release: () => rm(held),
    looks: async () => (await readFile(looks, 'utf8')).length,
  }
}

describe.each(DATABASES)('the last request of an upload, sent several times at once, on $name', ({ name, open }) => {
  // In a process of its own: were it frozen, this one could not tell.
  let siarin: Siarin
  let databases: TestDatabases
  let probe: Awaited<ReturnType<typeof makeSlowProbe>>

  beforeAll(async () => {
    databases = await open()
    probe = await makeSlowProbe()
    siarin = await startSiarin({ env: { ...(await databases.settings()), FFPROBE_PATH: probe.path } })
  })
  afterAll(async () => {
    await siarin.dispose()
    await databases.stop()
  })

  const unfinished = () => readdir(join(siarin.dataDir, 'resumable'))

  /** Every byte is there, and nobody has finished it: as after a last answer that got lost. */
  async function completeUpload(apiKey: string, content: Buffer): Promise<string> {
    const location = locationOf(await tusOf(siarin.url, apiKey).create(content.length))
    await writeFile(join(siarin.dataDir, 'resumable', basename(location)), content)
    return location
  }

  async function finishAtOnce(apiKey: string, location: string, offset: number) {
    const last = () => tusOf(siarin.url, apiKey).patch(location, offset, Buffer.alloc(0))
    await probe.hold()
    const answers = Promise.all(Array.from({ length: AT_ONCE }, last))
    await waitFor('the file to be looked at', async () => (await probe.looks()) > 0)
    // Time for the others to come as far, should nothing keep them from it.
    await sleep(1_000)
    await probe.release()
    return waitFor('an answer to each', () => answers, { timeoutMs: FROZEN_MS })
  }

  it('makes one video, and the program goes on', async () => {
    const { apiKey } = (await signIn(siarin.url)).user
    const location = await completeUpload(apiKey, bytes)
    const statuses = (await finishAtOnce(apiKey, location, bytes.length)).map(({ status }) => status)
    // A call that comes when all is over is told to look again, and one too many to come back.
    expect(statuses.filter((status) => ![204, 409, 423].includes(status))).toEqual([])
    expect(statuses).toContain(204)
    expect(await probe.looks()).toBe(1)

    expect(await processed(siarin.url, apiKey, 'klip.mp4')).toMatchObject({ status: 'ready', size: bytes.length })
    expect(await videosOf(siarin.url, apiKey)).toHaveLength(1)
    expect(await unfinished()).toEqual([])

    const late = await tusOf(siarin.url, apiKey).patch(location, bytes.length, Buffer.alloc(0))
    expect(late.status).toBe(409)
    expect(await videosOf(siarin.url, apiKey)).toHaveLength(1)
  })

  it('[SAFE-03] is told that nothing is there when the account goes at this very moment, and nothing is left', async () => {
    const { user, token, password } = await signIn(siarin.url)
    const location = await completeUpload(user.apiKey, bytes)
    await probe.hold()
    const last = tusOf(siarin.url, user.apiKey).patch(location, bytes.length, Buffer.alloc(0))
    await waitFor('the file to be looked at', async () => (await probe.looks()) > 0)
    const gone = await call(siarin.url, 'DELETE', '/auth/profile', {
      body: { currentPassword: password, confirm: user.username },
      headers: bearer(token),
    })
    expect(gone.status).toBe(200)
    await probe.release()
    expect((await last).status).toBe(404)
    await waitFor('nothing to be left', async () => (await unfinished()).length === 0)
    const kept = await readdir(siarin.dataDir, { recursive: true })
    expect(kept.filter((name) => name.includes(basename(location).split('~')[0] ?? location))).toEqual([])
  })

  if (!showsAll(name)) return

  it('is refused with the same sentence each time where it is no video', async () => {
    const { apiKey } = (await signIn(siarin.url)).user
    const text = Buffer.from('bukan video '.repeat(50))
    const answers = await finishAtOnce(apiKey, await completeUpload(apiKey, text), text.length)
    const refused = answers.filter(({ status }) => status === 422)
    expect(refused.length).toBeGreaterThan(0)
    for (const answer of refused) {
      expect(await answer.json()).toMatchObject({ message: expect.stringContaining('tidak bisa dibaca') })
    }
    // A call that comes when it has been thrown away finds nothing, and one too many is told to come back.
    expect(answers.filter(({ status }) => ![422, 404, 410, 423].includes(status))).toEqual([])
    expect(await videosOf(siarin.url, apiKey)).toEqual([])
    expect(await unfinished()).toEqual([])
  })

  it('[SAFE-04] holds up no start while it waits to be looked into, and is finished afterwards', async () => {
    const people = [(await signIn(siarin.url)).user, (await signIn(siarin.url)).user, (await signIn(siarin.url)).user]
    for (const { apiKey } of people) await completeUpload(apiKey, bytes)
    const ids = (await unfinished()).filter((name) => !name.endsWith('.json'))
    const longAgo = Date.now() / 1000 - 2 * 86_400
    // The machine was off for two days: that is no reason to throw them away before they were looked into.
    for (const id of ids) await utimes(join(siarin.dataDir, 'resumable', id), longAgo, longAgo)
    await probe.hold()
    // Answers once the program is ready: it listens, and has taken up its broadcasts.
    await siarin.restart()
    await waitFor('two of them to be looked into', async () => (await probe.looks()) === 2)
    expect(await videosOf(siarin.url, people[0]?.apiKey ?? '')).toEqual([])
    await probe.release()
    for (const { apiKey } of people) {
      expect(await processed(siarin.url, apiKey, 'klip.mp4')).toMatchObject({ status: 'ready' })
    }
    await waitFor('nothing to be left', async () => (await unfinished()).length === 0)
  })
})
