import { Secret } from '@siarin/media/secret'
import { initialState } from '@siarin/media/stream-state'
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { createEvents } from '../../../platform/events/events.ts'
import { createStreamMeter } from '../keeper/stream-meter.ts'
import type { BroadcastProcess } from '../sender/broadcast-process.ts'
import type { StreamChange, StreamRow } from '../store/streams.repo.ts'
import { type BroadcastJobDeps, createBroadcastJob } from './broadcast-job.ts'

const ROW = {
  ...{ id: 's', user_id: 'u', epoch: 1, looping: 1, desired: 'live', end_cause: null, target_host: 'h', record: 0 },
  ...{ state: JSON.stringify({ ...initialState, at: 'live', sinceMs: 1, accepted: true }), restarts: 0, on_air_ms: 0 },
  ...{ source_kind: 'video', source: 'v.mp4', source_account_id: null, source_sealed: null, video_id: 'v' },
  ...{ next_video_id: null, fallback_video_id: null, on_fallback: 0, playlist_id: null, recipe: 'r', note: null },
  ...{ position_item: 0, position_ms: 4_000, position_from_ms: 0, position_item_id: null, position_recipe: 'r' },
  ...{ sent_ms: 4_000, reason: null, platform: 'lain' },
} as unknown as StreamRow

/** An ffmpeg that an earlier run left on air. The copy of what it plays is not here, and the store does not hand it out. */
async function takeOver({ keepOnExit = false } = {}) {
  const exit = Promise.withResolvers<{ reason: 'target-closed'; lines: string[]; outTimeMs: number }>()
  const progress = { outTimeMs: 9_000, frame: 1, bitrateKbps: 800, speed: 1, totalBytes: 1, ended: false }
  const playNext = vi.fn(async () => {})
  const stop = vi.fn(async () => exit.resolve({ reason: 'target-closed', lines: [], outTimeMs: 9_000 }))
  const process = {
    ...{ pid: 7, birth: 'b', exited: exit.promise, lastWords: () => ({ agoMs: 0, progress }), playNext, stop },
    ...{ reading: () => null, told: () => [], kill: stop },
  } as unknown as BroadcastProcess
  const pin = Promise.withResolvers<{ path: string; release: () => void }>()
  const file = { key: 'k', head: async () => ({ bytes: 1, etag: 'e' }), pin: vi.fn(() => pin.promise), loop: null }
  const written: StreamChange[] = []
  const events = createEvents()
  const job = createBroadcastJob({
    ...{ log: pino({ level: 'silent' }), events, worker: 'here', keepOnExit, soleWorker: true, maxStreams: 10 },
    ...{ clock: { now: () => 1_000 }, clockErrorMs: () => 0, machineShortage: () => null, meter: createStreamMeter() },
    ...{
      samples: { put() {}, drop() {} },
      pollLoop: { join: () => () => {} },
      awaited: { mustWait: async () => false },
    },
    ...{ left: { adopt: () => process, lastWords: () => null }, sealer: { open: () => new Secret('x') } },
    ...{ processes: {}, storage: {}, timings: { returningSourceMs: 1_000, growingSourceMs: 1_000 }, sessionLimits: {} },
    repo: {
      byId: async () => ROW,
      claim: async () => ROW,
      async change(_: unknown, change: StreamChange) {
        written.push(change)
        return true
      },
    },
    library: {
      findById: async () => ({ id: 'v', filename: 'v.mp4', duration_ms: 10_000, status: 'ready' }),
      playableRendition: async () => file,
    },
  } as unknown as BroadcastJobDeps)
  job.listen()
  const closing = new AbortController()
  const kept = job.handle('s', { signal: closing.signal })
  await vi.waitFor(() => expect(file.pin).toHaveBeenCalled())
  return { kept, closing, events, pin, process: { stop, playNext }, written }
}

it('a running ffmpeg whose video has to come from a store is left on air by the end of the program, where it may', async () => {
  const { kept, closing, process, written, pin } = await takeOver({ keepOnExit: true })
  closing.abort('closing')
  expect(await kept).toBe('again')
  expect(process.stop).not.toHaveBeenCalled()
  expect(process.playNext).not.toHaveBeenCalled()
  const left = { state: { at: 'live' }, process: { pid: 7 }, recipe: 'r', position: { ms: 4_000 }, sentMs: 9_000 }
  expect(written.at(-1)).toMatchObject(left)
  const release = vi.fn()
  pin.resolve({ path: '/v', release })
  await vi.waitFor(() => expect(release).toHaveBeenCalled())
})

it('and whose video is here is known in time, and reads on what its row asks for', async () => {
  const { kept, closing, process, pin } = await takeOver({ keepOnExit: true })
  closing.abort('closing')
  pin.resolve({ path: '/v', release() {} })
  expect(await kept).toBe('again')
  expect(process.playNext).toHaveBeenCalledWith(
    expect.objectContaining({ clip: expect.objectContaining({ path: '/v' }) }),
  )
})

it('[MANY-02] and is ended before its worker is anybody again, where the lease has lapsed', async () => {
  const { kept, closing, process, written } = await takeOver()
  closing.abort('lapsed')
  expect(await kept).toBe('again')
  expect(process.stop).toHaveBeenCalled()
  expect(written.at(-1)).toMatchObject({ state: { at: 'queued' }, process: null, recipe: 'r' })
})

it('and hears of a Stop, with its cause', async () => {
  const { kept, events, process, written } = await takeOver()
  events.emit('stream.stop-asked', { streamId: 's', cause: 'schedule-ended' })
  expect(await kept).toBe('done')
  expect(process.stop).toHaveBeenCalled()
  expect(written.at(-1)).toMatchObject({ state: { at: 'ended', reason: 'stopped', cause: 'schedule-ended' } })
})
