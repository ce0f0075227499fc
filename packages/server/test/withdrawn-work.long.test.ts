import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type LoopbackHttp, serveOnLoopback } from '@siarin/testkit/loopback-http'
import { isAlive } from '@siarin/testkit/processes'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES, showsAll, type TestDatabases } from './support/databases.ts'
import { type FakeTools, fakeTools } from './support/fake-tools.ts'
import { operatorAt } from './support/operator.ts'
import {
  bearer,
  call,
  processed,
  signIn,
  startProgram,
  type TestProgram,
  uploadVideo,
  videosOf,
} from './support/program.ts'

/** Rows that are younger than a minute are left to the program that just made them. */
const PAST_YOUTH_MS = 61_000
const MASTER = 'master.mp4'

describe.each(DATABASES)(
  '[SAFE-04] work for somebody who may not have it done any more, on $name',
  ({ name, open }) => {
    let folder: TempDir
    let databases: TestDatabases
    let settings: Record<string, string>
    let tools: FakeTools
    let program: TestProgram
    let source: LoopbackHttp
    let clip: string
    let dripping = 0

    function drip(response: ServerResponse): void {
      dripping++
      response.writeHead(200, { 'content-length': '1000000' })
      const timer = setInterval(() => response.write('x'), 50)
      response.once('close', () => {
        clearInterval(timer)
        dripping--
      })
    }

    beforeAll(async () => {
      folder = await tempDir('withdrawn')
      databases = await open()
      tools = await fakeTools(folder.path)
      clip = join(folder.path, 'klip.mkv')
      await makeClip(clip, { seconds: 1, videoCodec: 'mpeg4', audioCodec: 'libmp3lame' })
      source = await serveOnLoopback(async (_request, response) => drip(response))
      settings = { DATA_DIR: join(folder.path, 'data'), ...(await databases.settings()), ...tools.settings }
      program = await startProgram(settings, { refillMs: 500 })
    })
    afterAll(async () => {
      await program.close()
      await source.close()
      await databases.stop()
      await folder.remove()
    })

    const operator = () => operatorAt(settings)
    const upload = (apiKey: string, name = 'klip.mkv') => uploadVideo(program.url, apiKey, clip, name)
    const isOver = (pid: number) => waitFor('the work to end', async () => !isAlive(pid))

    /** Somebody whose video is being prepared, and would be for ever. */
    async function underWay() {
      const person = await signIn(program.url)
      await tools.hold(MASTER)
      await upload(person.user.apiKey)
      return { ...person, ...(await tools.held()) }
    }

    it('ends with the deletion of its row on another machine', async () => {
      const { user, pid } = await underWay()
      const { id } = await program.db
        .selectFrom('videos')
        .innerJoin('users', 'users.id', 'videos.user_id')
        .select('videos.id')
        .where('users.email', '=', user.email)
        .executeTakeFirstOrThrow()
      await program.db.deleteFrom('videos').where('id', '=', id).execute()
      await isOver(pid)
    })

    it('ends with a suspension, rests over a restart, and goes on when that is taken back', async () => {
      const { user, pid } = await underWay()
      await operator().json('user', 'suspend', user.email)
      await isOver(pid)
      await program.close()

      await tools.hold(MASTER)
      program = await startProgram(settings, { refillMs: 500 })
      program.clock.move(PAST_YOUTH_MS)
      const other = (await signIn(program.url)).user
      await upload(other.apiKey)
      // What was left would have come first.
      const held = await tools.held()
      const owners = await program.db.selectFrom('users').select(['id', 'email']).execute()
      expect(owners.filter(({ id }) => held.line.includes(id)).map(({ email }) => email)).toEqual([other.email])
      await call(program.url, 'DELETE', '/fitur/video/delete/klip.mkv', { body: { apiKey: other.apiKey } })

      await tools.letGo()
      await operator().json('user', 'resume', user.email)
      expect(await processed(program.url, user.apiKey, 'klip.mkv')).toMatchObject({ status: 'ready' })
    })

    if (!showsAll(name)) return

    it('ends with the deletion of the video', async () => {
      const { user, pid } = await underWay()
      await call(program.url, 'DELETE', '/fitur/video/delete/klip.mkv', { body: { apiKey: user.apiKey } })
      await isOver(pid)
      expect(await videosOf(program.url, user.apiKey)).toEqual([])
    })

    it('ends with the deletion of the account', async () => {
      const { user, token, password, pid } = await underWay()
      const body = { currentPassword: password, confirm: user.username }
      expect((await call(program.url, 'DELETE', '/auth/profile', { body, headers: bearer(token) })).status).toBe(200)
      await isOver(pid)
    })

    it('ends an import with a suspension, which goes on when that is taken back', async () => {
      const { user } = await signIn(program.url)
      const body = { apiKey: user.apiKey, url: `${source.url}/klip.mp4` }
      await call(program.url, 'POST', '/fitur/video/import', { body })
      await waitFor('the import to be under way', async () => dripping === 1)
      await operator().json('user', 'suspend', user.email)
      await waitFor('the import to end', async () => dripping === 0)
      program.clock.move(PAST_YOUTH_MS)
      await operator().json('user', 'resume', user.email)
      await waitFor('the import to go on', async () => dripping === 1)
      await call(program.url, 'DELETE', '/fitur/video/delete/klip.mp4', { body: { apiKey: user.apiKey } })
      await waitFor('the import to end', async () => dripping === 0)
    })
  },
)
