import { describe, expect, it } from 'vitest'
import { broadcastPhase, offAirPhase } from './state-words.ts'

describe('[STAT-03] the state of a broadcast', () => {
  const of = (...states: object[]) =>
    broadcastPhase(
      states.map((state) => ({ broadcastId: 'b1', ...state })),
      'b1',
    )

  it('is what the rest of the product calls it', () => {
    expect(of({ state: 'live' })).toBe('live')
    expect(of({ state: 'starting', restarts: 0 })).toBe('starting')
    expect(of({ state: 'starting', restarts: 1 })).toBe('waiting')
    expect(of({ state: 'queued' }, { state: 'live' })).toBe('live')
    expect(of({ state: 'live' }, { state: 'waiting' })).toBe('waiting')
  })

  it('is nothing where none of its streams is active', () => {
    expect(broadcastPhase([{ broadcastId: 'b2', state: 'live' }], 'b1')).toBeNull()
  })
})

describe('[STAT-01] a card of live figures that is off air', () => {
  const card = { streamId: 's1', state: 'waiting' } as const

  it('says its state, also before the list of streams knows it', () => {
    expect(offAirPhase(card, [])).toBe('waiting')
    expect(offAirPhase(card, [{ streamId: 's1', state: 'live' }])).toBe('waiting')
  })

  it('takes each try of an outage for one reconnecting', () => {
    expect(offAirPhase({ ...card, state: 'starting' }, [{ streamId: 's1', state: 'starting', restarts: 3 }])).toBe(
      'waiting',
    )
  })
})
