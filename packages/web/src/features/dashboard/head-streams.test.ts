import { expect, it } from 'vitest'
import type { StreamRowData } from '../broadcasts/api/active-streams.ts'
import { headStreams } from './head-streams.ts'

const stream = (streamId: string, change: Partial<StreamRowData> = {}): StreamRowData => ({
  ...{ streamId, title: streamId, source: 'a.mp4', startedAt: '2026-11-16T08:00:00.000Z', state: 'live' },
  ...change,
})
const idsOf = (streams: StreamRowData[]) => headStreams(streams).head.map(({ stream: { streamId } }) => streamId)

it('has trouble first, then what is on air, and no more than three', () => {
  const streams = [
    stream('queued', { state: 'queued' }),
    stream('one'),
    stream('two'),
    stream('prepared', {
      state: 'waiting',
      preparation: { step: 'preparing', progress: 1, secondsLeft: null, queue: null },
    }),
    stream('lost', { state: 'starting', restarts: 2 }),
  ]
  expect(idsOf(streams)).toEqual(['lost', 'one', 'two'])
  expect(headStreams(streams).more).toBe(2)
})

it('has a broadcast once, by the target that is in trouble', () => {
  const broadcastId = 'malam'
  const streams = [stream('fine', { broadcastId }), stream('lost', { broadcastId, state: 'waiting' }), stream('other')]
  expect(headStreams(streams).head.map(({ stream: { streamId }, others }) => [streamId, others])).toEqual([
    ['lost', 1],
    ['other', 0],
  ])
  expect(
    headStreams([
      { streamId: 'a', state: 'live' },
      { streamId: 'b', state: 'live' },
    ]).head,
  ).toHaveLength(2)
})
