import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { expect, it } from 'vitest'
import { call, personWithVideo, startProgram } from './support/program.ts'

interface Incident {
  kind: string
  reason: string | null
}

it('a session is renewed at the end of the video before its platform would cut it, and only there', async () => {
  const folder = await tempDir('long-runs')
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 4 })
  const rtmp = await startRtmpServer()
  // 14.4 s: three passes of four seconds fit, with what is kept in reserve.
  const program = await startProgram({ SESSION_HOURS_OTHER: '0.004' })
  const { apiKey } = await personWithVideo(program.url, clip)
  const { body } = await call(program.url, 'POST', '/fitur/steam/start', {
    body: { apiKey, source: 'klip.mp4', platform: 'lain', rtmpStream: `${rtmp.url}/renewed`, looping: true },
  })
  await rtmp.waitForPublisher('renewed')
  const [before] = await ffmpegsUnder(program.dataDir)
  const told = async (): Promise<Incident[]> =>
    (await call(program.url, 'GET', `/fitur/steam/${body.streamId}/events?apiKey=${apiKey}`)).body.events

  const events = await waitFor(
    'a new session on air',
    async () => {
      const all = await told()
      return all.some(({ kind }) => kind === 'back') ? all.reverse() : null
    },
    { timeoutMs: 60_000 },
  )
  expect(events.map(({ kind }) => kind)).toEqual(['asked', 'live', 'renewed', 'back'])
  expect(events.find(({ kind }) => kind === 'renewed')?.reason).toContain('batas waktu')
  await rtmp.waitForPublisher('renewed', { growing: true })
  const [after, ...others] = await ffmpegsUnder(program.dataDir)
  expect(others).toEqual([])
  expect(after?.pid).not.toBe(before?.pid)
  const [stream] = (await call(program.url, 'GET', `/fitur/steam/active?apiKey=${apiKey}`)).body.streams
  // Nothing failed: it is no interruption that anybody has to look into.
  expect(stream).toMatchObject({ state: 'live', restarts: 0, reason: null })
  expect(program.logged()).toMatch(/"fromMs":\d+,"msg":"ffmpeg started"/)

  await program.close()
  await rtmp.stop()
  await folder.remove()
})
