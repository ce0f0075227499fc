import type { StreamState } from '@siarin/media/stream-state'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { RecordedEvent } from '../store/streams.repo.ts'
import { createStateSaver } from './state-saver.ts'

const log = pino({ level: 'silent' })
const tries = { failures: 0, accepted: true, offAirSinceMs: null, firstLiveMs: 1, reconnects: 0 }
const stateAt = (sinceMs: number): StreamState => ({ at: 'live', sinceMs, ...tries })
const fact = (at: number): RecordedEvent => ({ at, fact: 'stream.recovered', payload: { offAirMs: null } })

describe('a state that the database does not take', () => {
  it('is overtaken by the newest, but what occurred meanwhile is written in full, once, and in order', async () => {
    let isAway = true
    const written: { state: StreamState; occurred: readonly RecordedEvent[] }[] = []
    const saver = createStateSaver({
      streamId: 'one',
      log,
      async write({ state }, occurred) {
        if (isAway) throw new Error('locked')
        written.push({ state, occurred })
        return true
      },
    })
    const saves = [1, 2, 3, 4].map((at) => saver.save({ state: stateAt(at), reason: null }, [fact(at)]))
    await Promise.all(saves)
    expect(written).toEqual([])
    isAway = false
    expect(await saver.flush(new AbortController().signal)).toBe(true)
    expect(written).toEqual([{ state: stateAt(4), occurred: [1, 2, 3, 4].map(fact) }])
    await saver.save({ state: stateAt(5), reason: null }, [fact(5)])
    expect(written.slice(1)).toEqual([{ state: stateAt(5), occurred: [fact(5)] }])
  })

  it('is written with what occurred while it was being written', async () => {
    const written: (readonly RecordedEvent[])[] = []
    const saver = createStateSaver({
      streamId: 'one',
      log,
      async write(_change, occurred) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        written.push(occurred)
        return true
      },
    })
    const first = saver.save({ state: stateAt(1), reason: null }, [fact(1)])
    const second = saver.save({ state: stateAt(2), reason: null }, [fact(2)])
    await Promise.all([first, second])
    expect(await saver.flush(new AbortController().signal)).toBe(true)
    expect(written).toEqual([[fact(1)], [fact(2)]])
  })
})
