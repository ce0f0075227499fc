import { describe, expect, it } from 'vitest'
import type { StreamRowData } from './api/active-streams.ts'
import { groupStreams } from './stream-groups.ts'

const stream = (streamId: string, broadcastId?: string): StreamRowData => ({
  streamId,
  ...(broadcastId !== undefined && { broadcastId }),
})
const idsOf = (streams: readonly StreamRowData[]) =>
  groupStreams(streams).map((group) => group.streams.map(({ streamId }) => streamId))

describe('the streams of the Live tab', () => {
  it('[TGT-03] stand together by broadcast, where the first of each stands', () => {
    const listed = [stream('a1', 'a'), stream('b1', 'b'), stream('a2', 'a'), stream('c1', 'c'), stream('a3', 'a')]
    expect(idsOf(listed)).toEqual([['a1', 'a2', 'a3'], ['b1'], ['c1']])
  })

  it('[TGT-03] are by the names of their targets within a broadcast', () => {
    const named = (streamId: string, targetName: string): StreamRowData => ({ ...stream(streamId, 'a'), targetName })
    expect(idsOf([named('a1', 'Malam'), named('a2', 'kabel'), named('a3', 'Pagi')])).toEqual([['a2', 'a1', 'a3']])
  })

  it('stand alone where the server does not tell their broadcast', () => {
    expect(idsOf([stream('a'), stream('b'), stream('c', '')])).toEqual([['a'], ['b'], ['c']])
  })
})
