import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ToldLoad } from '../store/worker-leases.repo.ts'
import { type Beats, createBeats } from './beats.ts'
import { BEAT_MS, held } from './lease-state.ts'
import { shareHold } from './shared-hold.ts'

const TOLD: ToldLoad = { room: 5, max_streams: 5, kept: 0, cpu: 0.1, memory: 0.9, short_of: null }
const LONG_MS = 1e12
let beats: Beats

beforeEach(() => void vi.useFakeTimers())
afterEach(async () => {
  await beats.stop()
  vi.useRealTimers()
})

/** The beats of a run that has just been registered, and whose stores answer at once. */
function begin(mostUnheard: number, answer: 'up' | null = 'up') {
  const rooms: number[] = []
  const shown: string[] = []
  beats = createBeats({
    ...{ worker: 'w', mostUnheard, onState: () => {}, extend: () => {}, log: { debug: () => {} } },
    repo: {
      async beat(_, told) {
        rooms.push(told.room)
        return answer
      },
    },
    witness: {
      async beat(_, beat) {
        shown.push(beat)
      },
    },
  })
  const hold = shareHold(held('i', LONG_MS))
  beats.keep(hold, TOLD)
  return { rooms, shown, hold }
}

describe('[MANY-02] the beats of a program', () => {
  it('tell no room once it has not been heard of for some, and cease once its watchdog should have ended it', async () => {
    const { rooms, shown } = begin(6)
    await vi.advanceTimersByTimeAsync(20 * BEAT_MS)
    expect(rooms).toEqual([5, 5, 5, 0, 0, 0])
    // One with the start.
    expect(shown).toHaveLength(7)
  })

  it('go on with every sign of it', async () => {
    const { rooms } = begin(6)
    for (let second = 0; second < 20; second++) {
      await vi.advanceTimersByTimeAsync(BEAT_MS)
      beats.tell({ ...TOLD, room: second })
    }
    expect(rooms).toHaveLength(20)
    expect(rooms.at(-1)).toBe(18)
  })

  it('cease for good where another has the lease', async () => {
    const { rooms, hold } = begin(6, null)
    await vi.advanceTimersByTimeAsync(5 * BEAT_MS)
    expect([rooms, hold.judge().at]).toEqual([[5], 'lapsed'])
  })
})
