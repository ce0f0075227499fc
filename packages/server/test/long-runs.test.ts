import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { expect, it } from 'vitest'
import { personWithVideo, startProgram, type TestProgram } from './support/program.ts'
import { streamCalls } from './support/streams.ts'

const CLIP_SECONDS = 4
/** A tenth of 11.9 s is kept in reserve. So the second pass is the last that fits, and the reserve begins late in the third. */
const SESSION_HOURS = '0.0033'

/** Where in the video each ffmpeg began, in the order of their starts. */
const beginnings = (program: TestProgram): number[] =>
  program
    .logged()
    .split('\n')
    .filter((line) => line.includes('"ffmpeg started"'))
    .map((line) => JSON.parse(line).fromMs)

it('a session is renewed at the end of the video before its platform would cut it, and only there', async () => {
  const folder = await tempDir('long-runs')
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: CLIP_SECONDS })
  const rtmp = await startRtmpServer()
  const program = await startProgram({ SESSION_HOURS_OTHER: SESSION_HOURS })
  const { apiKey } = await personWithVideo(program, clip)
  const calls = streamCalls(program.url, rtmp)
  const { streamId } = (await calls.start(apiKey, 'renewed')).body
  const first = await rtmp.waitForPublisher('renewed')
  const [before] = await ffmpegsUnder(program.dataDir)

  let sentMs = 0
  await waitFor(
    'a new session',
    async () => {
      const now = await rtmp.publisher('renewed')
      if (now?.id === first.id) sentMs = now.timestampMs
      return now && now.id !== first.id
    },
    { timeoutMs: 120_000 },
  )
  // A whole pass after the first end of the video, which came too early for it.
  expect(sentMs).toBeGreaterThan(1.5 * CLIP_SECONDS * 1000)

  const events = await waitFor(
    'the new session to be told',
    async () => {
      const told = await calls.events(apiKey, streamId)
      return told.some(({ kind }) => kind === 'back') && told.reverse()
    },
    { timeoutMs: 120_000 },
  )
  expect(events.map(({ kind }) => kind)).toEqual(['asked', 'live', 'renewed', 'back'])
  expect(events.find(({ kind }) => kind === 'renewed')?.reason).toContain('batas waktu')
  const [begun, ...later] = beginnings(program)
  expect(begun).toBe(0)
  expect(later).toEqual([expect.any(Number)])
  // ffmpeg tells where it is once a second: it was at the end of the video, and the key frame of that second begins the next session.
  expect(later[0]).toBeLessThan((CLIP_SECONDS / 2) * 1000)

  await rtmp.waitForPublisher('renewed', { growing: true, otherThan: first.id })
  const [after, ...others] = await ffmpegsUnder(program.dataDir)
  expect(others).toEqual([])
  expect(after?.pid).not.toBe(before?.pid)
  // Nothing failed: it is no interruption that anybody has to look into.
  expect(await calls.active(apiKey)).toMatchObject([{ state: 'live', restarts: 0, reason: null }])

  await program.close()
  await rtmp.stop()
  await folder.remove()
})
