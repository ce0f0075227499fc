import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLongForm } from './support/fault-table.ts'
import { bearer, call, signIn, startProgram, uploadVideo } from './support/program.ts'
import { freshRedis, migratedPostgres } from './support/shared-servers.ts'

let folder: TempDir
let foreign: string

beforeAll(async () => {
  folder = await tempDir('moments')
  foreign = join(folder.path, 'asing.mkv')
  await makeClip(foreign, { seconds: 1, videoCodec: 'mpeg4', audioCodec: 'libmp3lame' })
})
afterAll(async () => {
  await folder.remove()
})

const mediaOf = (dataDir: string) => readdir(join(dataDir, 'media'), { recursive: true })

/** An ffmpeg that makes the master and then does not end. */
async function holdingFfmpeg(name: string) {
  const at = (moment: string) => join(folder.path, `${name}-${moment}`)
  const path = at('ffmpeg.sh')
  const script = `#!/bin/sh
case "$*" in
*work*master.mp4*) '${process.env['FFMPEG_PATH'] || 'ffmpeg'}' "$@"; : > '${at('made')}'; while kill -0 $PPID; do sleep 0.1; done;;
*) exec '${process.env['FFMPEG_PATH'] || 'ffmpeg'}' "$@";;
esac
`
  await writeFile(path, script, { mode: 0o755 })
  const isMade = async () => (await readdir(folder.path)).includes(`${name}-made`)
  return { path, masterMade: () => waitFor('the master to be made', isMade) }
}

type Person = Awaited<ReturnType<typeof signIn>>
const removals = {
  video: (url: string, { user }: Person) =>
    call(url, 'DELETE', '/fitur/video/delete/asing.mkv', { body: { apiKey: user.apiKey } }),
  account: (url: string, { user, token, password }: Person) =>
    call(url, 'DELETE', '/auth/profile', {
      body: { currentPassword: password, confirm: user.username },
      headers: bearer(token),
    }),
}

const ENDS = [
  ['video', 'ends', removals.video],
  ['account', 'is killed', removals.account],
] as const
/** What has been deleted, and how the worker ends, have nothing to do with each other: the long form tries them all the same. */
const OTHER_ENDS = [
  ['account', 'ends', removals.account],
  ['video', 'is killed', removals.video],
] as const

describe('what is deleted at the very moment', () => {
  it.each([...ENDS, ...(isLongForm ? OTHER_ENDS : [])])(
    'that its master has been made: of the %s nothing stays when the worker then %s',
    async (what, end, remove) => {
      const ffmpeg = await holdingFfmpeg(`${what}-${end}`)
      const database = await migratedPostgres()
      const shared = {
        ...{ DATABASE_URL: database.url, REDIS_URL: await freshRedis(), APP_SECRET: 'satu rahasia untuk dua program' },
        SHARED_DATA_DIR: 'true',
      }
      const web = await startProgram({ ...shared, ROLE: 'web' })
      const { dataDir } = web
      const worker = await startSiarin({ dataDir, env: { ...shared, ROLE: 'worker', FFMPEG_PATH: ffmpeg.path } })
      try {
        const person = await signIn(web.url)
        expect((await uploadVideo(web.url, person.user.apiKey, foreign, 'asing.mkv')).status).toBe(200)
        await ffmpeg.masterMade()
        const [work = ''] = await readdir(join(dataDir, 'work'))
        expect((await remove(web.url, person)).status).toBe(200)
        if (end === 'is killed') {
          await worker.kill9()
          // As one leaves it that had just put the master into its place.
          const [userId = '', videoId = ''] = work.split('~').slice(-2)
          await mkdir(join(dataDir, 'work', work), { recursive: true })
          await mkdir(join(dataDir, 'media', userId, videoId), { recursive: true })
          await writeFile(join(dataDir, 'media', userId, videoId, 'master.mp4'), 'made')
          await worker.restart()
        }
        // It answers before it has looked for what an earlier run left; one that goes on sees within a second that the row is gone.
        await waitFor('the work to end', async () => (await readdir(join(dataDir, 'work'))).length === 0)
        await waitFor('nothing to stay', async () => (await mediaOf(dataDir)).length === 0)
        await worker.stop()
        expect(await mediaOf(dataDir)).toEqual([])
      } finally {
        await worker.dispose()
        await web.close()
        await database.drop()
      }
    },
  )

  it('that its row is written leaves no file behind, which comes after the row', async () => {
    const program = await startProgram()
    const { user } = await signIn(program.url)
    // As quick as nobody can be: the row is gone before anything else happens.
    await sql`create trigger gone after insert on videos begin delete from videos where id = new.id; end`.execute(
      program.db,
    )
    expect((await uploadVideo(program.url, user.apiKey, foreign, 'asing.mkv')).status).toBe(200)
    expect(await mediaOf(program.dataDir)).toEqual([])
    expect(await readdir(join(program.dataDir, 'uploads'))).toEqual([])
    await program.close()
  })
})
