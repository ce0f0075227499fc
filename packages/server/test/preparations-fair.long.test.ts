import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { USUAL_TIMINGS } from '../src/platform/timings.ts'
import { processed, signIn, startProgram, type TestProgram, uploadVideo } from './support/program.ts'

let folder: TempDir
let program: TestProgram
let clip: string

const inFolder = (name: string) => join(folder.path, name)

beforeAll(async () => {
  folder = await tempDir('fair')
  clip = inFolder('klip.mkv')
  await makeClip(clip, { seconds: 1, videoCodec: 'mpeg4', audioCodec: 'libmp3lame' })
  // Notes whose master it is asked to make, and makes each only when it is told to.
  const script = `#!/bin/sh
case "$*" in
*work*master.mp4) echo "$*" >> '${inFolder('asked')}'
  go='${inFolder('go')}'-$(wc -l < '${inFolder('asked')}'); while [ ! -e "$go" ]; do sleep 0.05; done;;
esac
exec '${process.env['FFMPEG_PATH'] || 'ffmpeg'}' "$@"
`
  await writeFile(inFolder('ffmpeg.sh'), script, { mode: 0o755 })
  // Every picture that is made anew takes long here.
  const mediaTools = { ...USUAL_TIMINGS.mediaTools, quickPixels: 0 }
  program = await startProgram({ FFMPEG_PATH: inFolder('ffmpeg.sh') }, { mediaTools })
})
afterAll(async () => {
  await program.close()
  await folder.remove()
})

/** Whose videos were begun with, in this order. */
async function begun(): Promise<string[]> {
  const lines = await readFile(inFolder('asked'), 'utf8')
  const ids = [...lines.matchAll(/work\/[^/~]+~([\w-]+)~.*master\.mp4\n/g)].map(([, id]) => id)
  const users = await program.db.selectFrom('users').select(['id', 'email']).execute()
  return ids.map((id) => users.find((user) => user.id === id)?.email ?? '')
}

const isBegun = (number: number) =>
  waitFor(`preparation ${number} to begin`, async () => (await begun()).length === number, { timeoutMs: 120_000 })
/** As many as are known to need their picture made anew: each is looked through beside those that are being made. */
const inLongLane = (count: number) =>
  waitFor(
    `${count} in the long lane`,
    async () =>
      (await program.db.selectFrom('videos').select('id').where('lane', '=', 'long').execute()).length === count,
    { timeoutMs: 120_000 },
  )
const letGo = (number: number) => writeFile(inFolder(`go-${number}`), '')

it('whoever uploads many videos holds up nobody who uploads one', async () => {
  const people = [await signIn(program.url), await signIn(program.url), await signIn(program.url)]
  const [many, one, other] = people.map(({ user }) => user)
  const upload = (user = many, name = 'satu.mkv') => uploadVideo(program.url, user?.apiKey ?? '', clip, name)
  for (const name of ['a.mkv', 'b.mkv', 'c.mkv']) await upload(many, name)
  await isBegun(1)
  await upload(one)
  await inLongLane(4)
  for (const number of [1, 2]) await letGo(number)
  await isBegun(3)
  await upload(other)
  await inLongLane(3)
  for (const number of [3, 4, 5]) await letGo(number)
  await isBegun(5)
  expect(await begun()).toEqual([many, one, many, other, many].map((user) => user?.email))
  expect(await processed(program.url, many?.apiKey ?? '', 'c.mkv')).toMatchObject({ status: 'ready' })
})

it('[SAFE-04] nobody waits behind the long work of somebody else for what takes seconds', async () => {
  const [slow, quick] = [await signIn(program.url), await signIn(program.url)]
  const begunBefore = (await begun()).length
  await uploadVideo(program.url, slow.user.apiKey, clip, 'lama.mkv')
  await isBegun(begunBefore + 1)

  const ordinary = inFolder('biasa.mp4')
  await makeClip(ordinary, { seconds: 2 })
  for (const { user } of [quick, slow]) {
    await uploadVideo(program.url, user.apiKey, ordinary, 'biasa.mp4')
    expect(await processed(program.url, user.apiKey, 'biasa.mp4')).toMatchObject({ status: 'ready' })
  }
  await letGo(begunBefore + 1)
  expect(await processed(program.url, slow.user.apiKey, 'lama.mkv')).toMatchObject({ status: 'ready' })
})
