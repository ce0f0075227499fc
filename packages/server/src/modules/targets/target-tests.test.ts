import { Secret } from '@siarin/media/secret'
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { EgressRefused, type RefusalReason } from '../../platform/egress/egress.ts'
import { createSealer } from '../../platform/secrets/seal.ts'
import { createTargetTests } from './target-tests.ts'
import type { TargetRow } from './targets.repo.ts'

const caller = { userId: 'somebody', workspaceId: 'their team', role: 'owner' } as const
const visitor = { address: '203.0.113.7', device: 'Peramban' }
const sealer = createSealer(new Secret('a secret of this test'))

/** No ffmpeg is there: whatever would start one fails by itself. */
function stage({ onAir = false, refusals = [] as (RefusalReason | null)[] } = {}) {
  const row: TargetRow = {
    ...{ id: 'one', user_id: caller.workspaceId, name: 'Kanal', name_key: 'kanal', platform: 'lain', preset: null },
    ...{ address: 'rtmp://ingest.test/live', key_sealed: sealer.seal(new Secret('kunci')), key_hint: 'i' },
    ...{ created_at: 0, last_used_at: null, checked_at: null, check_result: null },
  }
  const noteCheck = vi.fn(async () => {})
  const isOnAir = vi.fn(async () => onAir)
  const { test } = createTargetTests({
    repo: { byId: async (workspaceId) => (workspaceId === row.user_id ? row : null), noteCheck },
    ...{ sealer, isOnAir, clock: { now: () => 0 }, log: pino({ level: 'silent' }) },
    activity: { record: async () => {} },
    egress: {
      async resolve() {
        const why = refusals.shift()
        if (why) throw new EgressRefused(why)
        return ['192.0.2.1']
      },
    },
    ffmpegPath: '/nonexistent/ffmpeg',
  })
  return { row, noteCheck, isOnAir, test: () => test(caller, row.id, visitor), testAs: test }
}

describe('[TGT-04] a test of a target', () => {
  it('is not sent where a broadcast of the same workspace is on air: it would cut that off', async () => {
    const { test, isOnAir, noteCheck } = stage({ onAir: true })
    await expect(test()).rejects.toMatchObject({ code: 'target_in_use' })
    const mark = sealer.mark(new Secret('rtmp://ingest.test/live/kunci'))
    expect(isOnAir).toHaveBeenCalledWith('their team', mark)
    expect(noteCheck).not.toHaveBeenCalled()
  })

  it.each<[RefusalReason, string]>([
    ['unknown-host', 'name-not-found'],
    ['forbidden', 'target-forbidden'],
  ])('whose name leads elsewhere at that moment (%s) says so, without an ffmpeg', async (why, result) => {
    const { test, row, noteCheck } = stage({ refusals: [null, why] })
    expect(await test()).toMatchObject({ outcome: 'unreachable' })
    expect(noteCheck).toHaveBeenCalledWith(row, { at: 0, result })
  })

  it('whose address may not be used any more is refused, as a broadcast would be', async () => {
    const { test } = stage({ refusals: ['forbidden'] })
    await expect(test()).rejects.toMatchObject({ code: 'target_forbidden' })
  })

  it('gives its place back, also when it fails', async () => {
    const { test } = stage()
    await expect(test()).rejects.toThrow('could not be run')
    await expect(test()).rejects.toThrow('could not be run')
  })

  it('of another workspace is not there', async () => {
    const { testAs, row } = stage()
    await expect(testAs({ ...caller, workspaceId: 'another' }, row.id, visitor)).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
