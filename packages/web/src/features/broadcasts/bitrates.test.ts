import { describe, expect, it } from 'vitest'
import { SPARK_POINTS } from '../../components/spark-points.ts'
import type { StreamRowData } from './api/active-streams.ts'
import { type Bitrates, nextBitrates } from './bitrates.ts'

const live = (bitrate: number | null): StreamRowData => ({ streamId: 'a', state: 'live', bitrate })
const after = (...seconds: StreamRowData[][]): Bitrates =>
  seconds.reduce<Bitrates>((known, streams, index) => nextBitrates(known, streams, 5000 + index * 1000), {
    takenAt: 0,
    samples: {},
  })

describe('the samples of a bitrate', () => {
  it('grow by one a second and are the last 60', () => {
    const many = Array.from({ length: SPARK_POINTS + 5 }, (_, index) => [live(index + 1)])
    const { a = [] } = after(...many).samples
    expect(a).toHaveLength(SPARK_POINTS)
    expect(a.at(-1)).toBe(SPARK_POINTS + 5)
  })

  it('show an outage as nothing, once the stream has been on air', () => {
    const waiting: StreamRowData = { streamId: 'a', state: 'waiting', bitrate: 800 }
    expect(after([waiting], [live(900)], [waiting], [live(700)]).samples).toEqual({ a: [900, 0, 700] })
  })

  it('leave out what is not measured and forget streams that are gone', () => {
    expect(after([live(null)], [live(5)]).samples).toEqual({ a: [5] })
    expect(after([live(5)], []).samples).toEqual({})
  })

  it('take no two within a second', () => {
    const known = nextBitrates(undefined, [live(1)], 5000)
    expect(nextBitrates(known, [live(2)], 5300)).toBe(known)
    expect(nextBitrates(known, [live(2)], 4000).samples).toEqual({ a: [1, 2] })
  })
})
