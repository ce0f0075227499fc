import type { EndedStream } from '@siarin/contracts/streams'
import { describe, expect, it } from 'vitest'
import { restoredWords, waitingRestored } from './restored-broadcasts.ts'

const stream = (streamId: string, change: Partial<EndedStream> = {}): EndedStream => ({
  targetName: null,
  streamId,
  platform: 'youtube',
  source: 'malam.mp4',
  sourceName: 'malam.mp4',
  accountId: null,
  fallback: null,
  title: null,
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-02T00:00:00.000Z',
  ended: 'stopped',
  reason: null,
  restored: true,
  restarts: 0,
  onAirSeconds: 60,
  onAirPercent: 100,
  ...change,
})
const LATER = '2026-01-03T00:00:00.000Z'
const idsOf = (streams: readonly EndedStream[]): string[] => streams.map(({ streamId }) => streamId)

describe('[SAFE-05] the broadcasts that wait after a restore', () => {
  it('are those that were on air in the backup, and no others', () => {
    expect(idsOf(waitingRestored([stream('a'), stream('b', { restored: false })], []))).toEqual(['a'])
  })

  it('wait no longer once they were begun again, on air still or over already', () => {
    const again = { startedAt: LATER, restored: false }
    expect(waitingRestored([stream('a')], [{ ...again, platform: 'youtube', source: 'malam.mp4' }])).toEqual([])
    expect(waitingRestored([stream('b', { ...again, endedAt: LATER }), stream('a')], [])).toEqual([])
  })

  it('wait on where something else was begun, or only one of two that are alike', () => {
    const other = { platform: 'facebook', source: 'malam.mp4', startedAt: LATER } as const
    expect(idsOf(waitingRestored([stream('a')], [other]))).toEqual(['a'])
    const one = { ...other, platform: 'youtube' } as const
    expect(waitingRestored([stream('a'), stream('b')], [one])).toHaveLength(1)
  })

  it('are named where it is one, and counted where there are more', () => {
    expect(restoredWords([stream('a', { title: 'Malam' })])).toContain('Siaran “Malam” belum tayang lagi')
    expect(restoredWords([stream('a')])).toContain('Siaran “malam.mp4” belum')
    expect(restoredWords([stream('a'), stream('b')])).toContain('2 siaran Anda belum tayang lagi')
  })
})
