import type { ExitReason } from '@siarin/media/parse/exit-reason'
import { initialState } from '@siarin/media/stream-state'
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { createEvents } from '../../../platform/events/events.ts'
import type { BroadcastProcess } from '../sender/broadcast-process.ts'
import type { StartAttempt } from '../sender/start-attempt.ts'
import type { StartedBroadcast } from '../sender/started-broadcast.ts'
import type { Clip } from '../sequence/clips.ts'
import type { StreamChange, StreamRow } from '../store/streams.repo.ts'
import type { KeeperDeps } from './keeper-deps.ts'
import { keepStream } from './stream-keeper.ts'
import { createStreamMeter } from './stream-meter.ts'

const CLIP: Clip = { videoId: 'v', filename: 'v.mp4', path: '/v.mp4', durationMs: 10_000, bytes: 1, loop: null }

/** An ffmpeg that exists here only. It sends as much as it is told, and ends when it is asked to. */
function createProcess(pid: number, reason: ExitReason = 'target-closed') {
  const exit = Promise.withResolvers<{ reason: ExitReason; lines: string[] }>()
  let outTimeMs: number | null = null
  const end = () => exit.resolve({ reason, lines: [] })
  const process = {
    pid,
    birth: `birth of ${pid}`,
    exited: exit.promise,
    lastWords: () =>
      outTimeMs === null
        ? null
        : { agoMs: 0, progress: { outTimeMs, frame: 1, bitrateKbps: 800, speed: 1, totalBytes: 1, ended: false } },
    playNext: vi.fn(async () => {}),
    reading: () => null,
    stop: vi.fn(async () => end()),
    kill: vi.fn(end),
  } as unknown as BroadcastProcess & { stop: ReturnType<typeof vi.fn> }
  return {
    process,
    end,
    send(ms: number): void {
      outTimeMs = ms
    },
  }
}

const ROW = {
  ...{ id: 's', user_id: 'u', epoch: 1, looping: 1, desired: 'live', end_cause: null, target_host: 'h' },
  ...{ state: JSON.stringify(initialState), restarts: 0, on_air_ms: 0, video_id: 'v', on_fallback: 0 },
  ...{ position_item: 0, position_ms: 0, position_from_ms: 0, note: null, reason: null, source_finite: 0 },
} as unknown as StreamRow

function createStage(changes: Partial<KeeperDeps> = {}) {
  const written: StreamChange[] = []
  const polls = new Set<() => void>()
  const events = createEvents()
  const ending = new AbortController()
  let nowMs = 1_000_000
  const starts: ((started: StartedBroadcast) => void)[] = []
  const deps = {
    row: ROW,
    repo: {
      change: async (_: unknown, change: StreamChange) => {
        written.push(change)
        return true
      },
    },
    events,
    clock: { now: () => nowMs },
    clockErrorMs: () => 0,
    steady: () => nowMs,
    log: pino({ level: 'silent' }),
    signal: ending.signal,
    keepOnExit: false,
    returningSourceMs: 1_000,
    growingSourceMs: 1_000,
    sessionLimitMs: null,
    samples: { start() {}, put: vi.fn(), drop() {}, stop() {} },
    meter: createStreamMeter(),
    pollLoop: {
      start() {},
      stop() {},
      join(poll: () => void) {
        polls.add(poll)
        return () => polls.delete(poll)
      },
    },
    durationOf: () => CLIP.durationMs,
    adopted: null,
    relay: null,
    startProcess: (_: unknown, attempt: StartAttempt) =>
      attempt.begin(() => new Promise<StartedBroadcast>((resolve) => void starts.push(resolve))),
    endCause: async () => null,
    mayEndForLag: () => false,
    unsentOf: () => async () => 0,
    changeOfClip: async () => null,
    passedOver: () => null,
    releaseClip: () => {},
    ...changes,
  } as unknown as KeeperDeps
  return {
    kept: keepStream(deps),
    written,
    phases: () => written.map(({ state }) => state.at),
    stop: () => events.emit('stream.stop-asked', { streamId: 's' }),
    halt: () => ending.abort(),
    pass(ms: number): void {
      nowMs += ms
    },
    poll(): void {
      for (const poll of polls) poll()
    },
    starts: () => starts.length,
    async begin(process: BroadcastProcess): Promise<void> {
      await vi.waitFor(() => expect(starts.length).toBeGreaterThan(0))
      starts.shift()?.({ process, clip: CLIP, item: 0, place: null, fromMs: 0, onFallback: false, note: null })
    },
    isWaitingForStart: () => vi.waitFor(() => expect(starts.length).toBe(1)),
  }
}

describe('a broadcast that is being started', () => {
  it('hears of a Stop at once, and its process is ended as soon as there is one', async () => {
    const stage = createStage()
    await stage.isWaitingForStart()
    stage.stop()
    await vi.waitFor(() => expect(stage.phases().at(-1)).toBe('stopping'))
    const { process } = createProcess(7)
    await stage.begin(process)
    expect(await stage.kept).toBe('done')
    expect(process.stop).toHaveBeenCalled()
    expect(stage.written.at(-1)).toMatchObject({ state: { at: 'ended', reason: 'stopped' }, process: null })
  })

  it.each([
    ['halt', false],
    ['halt', true],
    ['stop', false],
  ] as const)(
    'and waits for its video ends at once by a %s (keepOnExit: %s), and begins nothing later',
    async (end, keepOnExit) => {
      const attempts: StartAttempt[] = []
      const startProcess = (_: unknown, attempt: StartAttempt) => {
        attempts.push(attempt)
        return new Promise<StartedBroadcast>(() => {})
      }
      const stage = createStage({ startProcess, keepOnExit })
      await vi.waitFor(() => expect(attempts).toHaveLength(1))
      stage[end]()
      await stage.kept
      expect(stage.phases().at(-1)).toBe(end === 'halt' ? 'queued' : 'ended')
      await expect(attempts[0]?.begin(async () => {})).rejects.toThrow('given up')
    },
  )

  it.each(['halt', 'stop'] as const)(
    'and whose process cannot be started when a %s comes waits for nothing that would be sent instead',
    async (end) => {
      const spawn = Promise.withResolvers<never>()
      const started = vi.fn((_: unknown, attempt: StartAttempt) =>
        attempt.begin(() => spawn.promise).catch(() => new Promise<StartedBroadcast>(() => {})),
      )
      const stage = createStage({ startProcess: started })
      await vi.waitFor(() => expect(started).toHaveBeenCalled())
      stage[end]()
      await vi.waitFor(() => expect(stage.phases().at(-1)).toBe('stopping'))
      spawn.reject(new Error('EAGAIN'))
      await stage.kept
      expect(stage.phases().at(-1)).toBe(end === 'halt' ? 'queued' : 'ended')
    },
  )

  it('and that another worker has by then leaves no process behind', async () => {
    const stage = createStage({ repo: { change: async (_, { state }) => state.at !== 'stopping' } })
    await stage.isWaitingForStart()
    stage.stop()
    const { process } = createProcess(7)
    await stage.begin(process)
    expect(await stage.kept).toBe('done')
    expect(process.stop).toHaveBeenCalled()
  })

  it('stays on air when the program ends, where it may', async () => {
    const stage = createStage({ keepOnExit: true })
    await stage.isWaitingForStart()
    stage.halt()
    const { process } = createProcess(7)
    await stage.begin(process)
    expect(await stage.kept).toBe('again')
    expect(process.stop).not.toHaveBeenCalled()
    expect(stage.written.at(-1)).toMatchObject({ process: { pid: 7 } })
  })
})

describe('a broadcast that runs', () => {
  it('is live once its output moves, waits when its process is gone, and begins again', async () => {
    const stage = createStage()
    const first = createProcess(7)
    await stage.begin(first.process)
    first.send(3_000)
    await vi.waitFor(() => {
      stage.poll()
      expect(stage.phases().at(-1)).toBe('live')
    })
    stage.pass(5_000)
    first.end()
    await vi.waitFor(() => expect(stage.phases().at(-1)).toBe('waiting'))
    expect(stage.written.at(-1)).toMatchObject({ onAirMs: 5_000, process: null })
    const second = createProcess(8)
    await stage.begin(second.process)
    await vi.waitFor(() => expect(stage.written.at(-1)).toMatchObject({ process: { pid: 8 }, restarts: 1 }))
    stage.stop()
    expect(await stage.kept).toBe('done')
  })

  it.each([
    ['comes back where its source is live', 0, 'waiting'],
    ['ends where its source has an end', 1, 'ended'],
  ])('and is not to be repeated %s', async (_what, source_finite, phase) => {
    const relay = {
      brokeOff() {},
      mustChange: async () => false,
      isBack: async () => false,
    } as unknown as KeeperDeps['relay']
    const stage = createStage({ relay, row: { ...ROW, looping: 0, source_finite } })
    const running = createProcess(7, 'source-ended')
    await stage.begin(running.process)
    running.send(3_000)
    await vi.waitFor(() => {
      stage.poll()
      expect(stage.phases().at(-1)).toBe('live')
    }, 10_000)
    running.end()
    await vi.waitFor(() => expect(stage.phases().at(-1)).not.toBe('live'), 10_000)
    expect(stage.phases().at(-1)).toBe(phase)
    stage.stop()
    expect(await stage.kept).toBe('done')
  })

  it('is looked at one look at a time, however slow a look is', async () => {
    const look = Promise.withResolvers<number>()
    const unsent = vi.fn(() => look.promise)
    const stage = createStage({ unsentOf: () => unsent })
    const running = createProcess(7)
    running.send(3_000)
    await stage.begin(running.process)
    await vi.waitFor(() => {
      stage.poll()
      expect(unsent).toHaveBeenCalled()
    })
    stage.poll()
    stage.poll()
    expect(unsent).toHaveBeenCalledTimes(1)
    look.resolve(0)
    await vi.waitFor(() => expect(stage.phases().at(-1)).toBe('live'))
    stage.stop()
    expect(await stage.kept).toBe('done')
  })
})
