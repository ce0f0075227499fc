import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { USUAL_TIMINGS } from '../src/platform/timings.ts'
import { heldMasters } from './support/held-masters.ts'
import { processed, signIn, startProgram, type TestProgram, uploadVideo } from './support/program.ts'

let folder: TempDir
let masters: Awaited<ReturnType<typeof heldMasters>>
let program: TestProgram

beforeAll(async () => {
  folder = await tempDir('quick-lane')
  masters = await heldMasters(folder.path)
  const mediaTools = { ...USUAL_TIMINGS.mediaTools, quickMs: 2_000, quickAgainMs: 2_000 }
  program = await startProgram(masters.settings, { mediaTools })
})
afterAll(async () => {
  await program.close()
  await folder.remove()
})

/** Somebody who has sent a small file of which a decoder makes nothing for as long as nobody lets it go. */
async function slowPerson(clip: string) {
  const { user } = await signIn(program.url)
  const { id } = await program.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', user.email)
    .executeTakeFirstOrThrow()
  await uploadVideo(program.url, user.apiKey, clip, 'lambat.mkv')
  return { ...user, id }
}

const lanes = async () => {
  const rows = await program.db.selectFrom('videos').select(['lane', 'status']).where('lane', '=', 'long').execute()
  return rows.map(({ lane, status }) => `${lane}, ${status}`)
}

it('[SAFE-04] what looks quick and is not gives way to others, and is made all the same', async () => {
  const [slow, ordinary] = [join(folder.path, 'lambat.mkv'), join(folder.path, 'biasa.mp4')]
  await makeClip(slow, { seconds: 1, videoCodec: 'mpeg4', audioCodec: 'libmp3lame' })
  await makeClip(ordinary, { seconds: 2 })
  // One for each place of the quick lane.
  const people = [await slowPerson(slow), await slowPerson(slow)]
  await waitFor('both to have gone into the long lane', async () => (await lanes()).length === 2)
  const { user } = await signIn(program.url)
  await uploadVideo(program.url, user.apiKey, ordinary, 'biasa.mp4')
  expect(await processed(program.url, user.apiKey, 'biasa.mp4')).toMatchObject({ status: 'ready' })
  expect(await lanes()).toEqual(['long, processing', 'long, processing'])
  for (const { id } of people) await masters.letGo(id)
  for (const { apiKey } of people)
    expect(await processed(program.url, apiKey, 'lambat.mkv')).toMatchObject({ status: 'ready' })
})
