import { startFillingTarget } from '@siarin/testkit/filling-target'
import { residentBytes } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { expect, it } from 'vitest'
import { personWithVideo } from './support/program.ts'
import { openStreamStage, streamCalls } from './support/streams.ts'

const MIB = 1024 ** 2
/** Below the limit of an ffmpeg, so that it stays on air. */
const FILLED_BYTES = 320 * MIB

it('[SAFE-07] where memory runs short, what targets have filled ends and starts again, and a neighbour stays on air', {
  timeout: 120_000,
}, async () => {
  await using props = new AsyncDisposableStack()
  // Less than twice as much is free, and more than once.
  const least = Math.floor((0.7 * process.availableMemory()) / MIB)
  const stage = props.adopt(await openStreamStage({ MIN_FREE_MEMORY_MB: String(least) }), (each) => each.close())
  const filling = props.adopt(await startFillingTarget(FILLED_BYTES), (each) => void each.stop())
  const [filler, neighbour] = await Promise.all([
    personWithVideo(stage.program.url, stage.clip),
    personWithVideo(stage.program.url, stage.clip),
  ])
  const pidOf = async (streamId: string) => (await stage.ffmpegOf(streamId))[0]?.pid ?? null
  const begin = async (begun: ReturnType<typeof stage.start>) => {
    const streamId: string = (await begun).body.streamId
    const pid = await waitFor('its ffmpeg', () => pidOf(streamId))
    return { pid, hasStartedAgain: async () => ![pid, null].includes(await pidOf(streamId)) }
  }
  const usual = await begin(stage.start(neighbour.apiKey, 'tetangga'))
  const calls = streamCalls(stage.program.url, filling)
  const filled = await Promise.all(['a', 'b'].map((key) => begin(calls.start(filler.apiKey, key))))
  await waitFor('both to have started again', async () =>
    (await Promise.all(filled.map(({ hasStartedAgain }) => hasStartedAgain()))).every(Boolean),
  )
  expect(await usual.hasStartedAgain()).toBe(false)
  expect((await stage.active(neighbour.apiKey)).map(({ state }) => state)).toEqual(['live'])
  expect(await residentBytes(usual.pid)).toBeLessThan(150 * MIB)
})
