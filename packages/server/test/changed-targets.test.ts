import { TARGET_TEXTS } from '@siarin/contracts/target-texts'
import { cachedClip } from '@siarin/testkit/clips'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, personWithVideo, startProgram, type TestProgram } from './support/program.ts'

let program: TestProgram
beforeAll(async () => {
  program = await startProgram()
})
afterAll(() => program?.close())

it('[TGT-01] a key that is changed while a broadcast goes there says that the next one uses it', async () => {
  const { apiKey } = await personWithVideo(program, await cachedClip('klip.mp4', { seconds: 4 }))
  const ask = (method: string, path: string, body?: object) =>
    call(program.url, method, path, { body, headers: { 'x-api-key': apiKey } })
  const target = { name: 'Kanal', platform: 'lain', address: 'rtmp://127.0.0.1:1/live', key: 'kunci-lama' }
  const { id } = (await ask('POST', '/fitur/target', target)).body.data
  const change = async (body: object) => {
    const { message, usedOnAir } = (await ask('PATCH', `/fitur/target/${id}`, body)).body
    return { message, usedOnAir }
  }
  expect(await change({ key: 'kunci-kedua' })).toEqual({ message: TARGET_TEXTS.changed, usedOnAir: false })
  // Nobody listens there, so that it is tried again and again.
  const started = await ask('POST', '/fitur/broadcast', {
    source: 'klip.mp4',
    looping: true,
    targets: [{ targetId: id }],
  })
  expect(started.status).toBe(200)
  expect(await change({ key: 'kunci-ketiga' })).toEqual({ message: TARGET_TEXTS.changedOnAir, usedOnAir: true })
  expect(await change({ name: 'Nama lain' })).toEqual({ message: TARGET_TEXTS.changed, usedOnAir: false })
  expect((await ask('POST', `/fitur/broadcast/${started.body.broadcastId}/stop`)).status).toBe(200)
})
