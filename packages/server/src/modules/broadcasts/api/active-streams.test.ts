import { describe, expect, it } from 'vitest'
import type { NamedStreamRow } from '../store/streams.repo.ts'
import { createActiveStreams } from './active-streams.ts'

const ROW = {
  id: 's1',
  platform: 'youtube',
  source: 'klip.mp4',
  source_kind: 'video',
  source_sealed: null,
  worker: 'w',
  video_id: 'v1',
  next_video_id: null,
  on_fallback: 0,
  note: null,
  created_at: 0,
  state: '{"at":"live","sinceMs":0,"reconnects":0}',
  phase: 'live',
  reason: null,
  live_since: 0,
  on_air_ms: 0,
} as unknown as NamedStreamRow

/** One stream, a clock that the test moves, and a count of what was opened and read. */
function scene(change: Partial<NamedStreamRow> = {}) {
  const told = { now: 10_100, version: 1, opened: 0, read: 0 }
  const active = createActiveStreams({
    repo: {
      activeOf: async () => {
        told.read++
        return [{ ...ROW, ...change }]
      },
    },
    playlistsNow: async () => new Map(),
    sourceOf: (row) => {
      told.opened++
      return row.source
    },
    clock: { now: () => told.now },
    library: { preparations: async () => new Map() },
    changes: { of: () => ({ version: () => told.version }), seesOthers: true } as never,
  })
  return { told, active: () => active('w1') }
}

describe('the active streams', () => {
  it('are the same object until a second of somebody is over', async () => {
    const { told, active } = scene()
    const first = await active()
    expect(first[0]?.uptime).toBe(10)
    told.now = 10_499
    expect(await active()).toBe(first)
    told.now = 10_500
    const second = await active()
    expect(second).not.toBe(first)
    expect(second[0]?.uptime).toBe(11)
  })

  it('are others once a row has changed, and once the clock was set back', async () => {
    const { told, active } = scene()
    const first = await active()
    told.version++
    const second = await active()
    expect(second).not.toBe(first)
    told.now = 9_900
    expect((await active()) === second).toBe(false)
  })

  it('whose source is sealed are opened for each answer', async () => {
    const { told, active } = scene({ source_sealed: 'sealed' })
    const first = await active()
    expect(await active()).not.toBe(first)
    expect(told).toMatchObject({ opened: 2, read: 1 })
  })

  it('have no time to pass while none is on air', async () => {
    const { told, active } = scene({ live_since: null })
    const first = await active()
    told.now += 86_400_000
    expect(await active()).toBe(first)
  })
})
