import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { processed, signIn, startProgram, type TestProgram, uploadVideo } from './support/program.ts'

let folder: TempDir
let program: TestProgram
let clip: string

const inFolder = (name: string) => join(folder.path, name)

beforeAll(async () => {
  folder = await tempDir('fair')
  clip = inFolder('klip.mkv')
  await makeClip(clip, { seconds: 1, videoCodec: 'mpeg4', audioCodec: 'libmp3lame' })
  // Notes whose master it is asked to make, and makes none before it is told to.
  const script = `#!/bin/sh
case "$*" in
*work*master.mp4) echo "$*" >> '${inFolder('asked')}'; while [ ! -e '${inFolder('go')}' ]; do sleep 0.05; done;;
esac
exec '${process.env['FFMPEG_PATH'] || 'ffmpeg'}' "$@"
`
  await writeFile(inFolder('ffmpeg.sh'), script, { mode: 0o755 })
  program = await startProgram({ FFMPEG_PATH: inFolder('ffmpeg.sh') })
})
afterAll(async () => {
  await program.close()
  await folder.remove()
})

/** Whose videos were begun with, in this order. */
async function begun(): Promise<string[]> {
  const lines = await readFile(inFolder('asked'), 'utf8')
  const ids = [...lines.matchAll(/work\/([\w-]+)~.*master\.mp4\n/g)].map(([, id]) => id)
  const users = await program.db.selectFrom('users').select(['id', 'email']).execute()
  return ids.map((id) => users.find((user) => user.id === id)?.email ?? '')
}

it('whoever uploads many videos holds up nobody who uploads one', async () => {
  const [many, one] = [(await signIn(program.url)).user, (await signIn(program.url)).user]
  const names = ['a.mkv', 'b.mkv', 'c.mkv']
  for (const name of names) await uploadVideo(program.url, many.apiKey, clip, name)
  await waitFor('the first to be under way', async () => (await begun()).length === 1)
  await uploadVideo(program.url, one.apiKey, clip, 'satu.mkv')
  await writeFile(inFolder('go'), '')
  for (const name of names) {
    expect(await processed(program.url, many.apiKey, name)).toMatchObject({ status: 'ready' })
  }
  expect(await processed(program.url, one.apiKey, 'satu.mkv')).toMatchObject({ status: 'ready' })
  expect(await begun()).toEqual([many.email, one.email, many.email, many.email])
})
