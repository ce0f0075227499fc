import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { DatabaseAwayError } from '../../../errors.ts'
import { createEvents } from '../../../platform/events/events.ts'
import type { StreamRow } from '../store/streams.repo.ts'
import { createAskedStops } from './asked-stops.ts'

/** A Stop that no row may have, heard by the worker `here`. */
async function askedOf(row: Partial<StreamRow> | Error, soleWorker: boolean) {
  const events = createEvents()
  const ended: string[] = []
  events.on('stream.changed', ({ streamId }) => void ended.push(streamId))
  const stop = vi.fn()
  const stops = createAskedStops({
    ...{ events, log: pino({ level: 'silent' }), worker: 'here', soleWorker, isKept: () => false },
    repo: {
      async byId() {
        if (row instanceof Error) throw row
        return { id: 's', user_id: 'u', phase: 'live', ...row } as StreamRow
      },
    },
    leftOf: ({ worker }) => (worker === 'there' && !soleWorker ? null : ({ stop } as never)),
  })
  stops.listen()
  events.emit('stream.stop-asked', { streamId: 's' })
  for (let turns = 0; turns < 5; turns++) await nextTurn()
  return { ended, isEnded: stop.mock.calls.length > 0, isRemembered: stops.has('s') }
}

describe('a Stop that cannot be written down', () => {
  it('ends what this worker left on air, and says so', async () => {
    const ours = { ended: ['s'], isEnded: true, isRemembered: true }
    expect(await askedOf({ worker: 'here' }, false)).toEqual(ours)
    // Where there is one worker, a row with another name was its own under a former one.
    expect(await askedOf({ worker: 'there' }, true)).toEqual(ours)
  })

  it('of a stream that another worker keeps is neither taken for done nor remembered', async () => {
    expect(await askedOf({ worker: 'there' }, false)).toEqual({ ended: [], isEnded: false, isRemembered: false })
  })

  it('of a stream that nobody keeps here is not remembered where its row cannot be read: another worker may keep it', async () => {
    const away = new DatabaseAwayError(new Error('?'))
    expect(await askedOf(away, false)).toEqual({ ended: [], isEnded: false, isRemembered: false })
    // Where there is no other, it is this one's to carry out.
    expect(await askedOf(away, true)).toEqual({ ended: [], isEnded: false, isRemembered: true })
  })
})
