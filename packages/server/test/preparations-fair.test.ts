import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { processed, signIn, startProgram, type TestProgram, uploadVideo, videosOf } from './support/program.ts'

let folder: TempDir
let program: TestProgram
let long: string
let short: string

beforeAll(async () => {
  folder = await tempDir('fair')
  long = join(folder.path, 'panjang.mkv')
  short = join(folder.path, 'pendek.mkv')
  const foreign = { videoCodec: 'mpeg4', audioCodec: 'libmp3lame' }
  await makeClip(long, { ...foreign, seconds: 20, width: 1280, height: 720 })
  await makeClip(short, { ...foreign, seconds: 2 })
  program = await startProgram()
})
afterAll(async () => {
  await program.close()
  await folder.remove()
})

it('whoever uploads many videos holds up nobody who uploads one', async () => {
  const [many, one] = [(await signIn(program.url)).user, (await signIn(program.url)).user]
  for (const name of ['a.mkv', 'b.mkv', 'c.mkv']) await uploadVideo(program.url, many.apiKey, long, name)
  await uploadVideo(program.url, one.apiKey, short, 'satu.mkv')
  const waiting = async () => (await videosOf(program.url, many.apiKey)).filter(({ status }) => status !== 'ready')
  expect(await waiting()).toHaveLength(3)
  expect(await processed(program.url, one.apiKey, 'satu.mkv')).toMatchObject({ status: 'ready' })
  expect((await waiting()).length).toBeGreaterThanOrEqual(1)
  await waitFor('all to be ready', async () => (await waiting()).length === 0, { timeoutMs: 55_000 })
})
