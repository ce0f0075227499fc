import { describe, expect, it } from 'vitest'
import type { BroadcastRow } from './broadcasts.repo.ts'
import { findDue, isDue, type StreamAtTarget } from './due-broadcasts.ts'

const begun = { user_id: 'u', target_mark: 'm', created_at: 100 }
const stream = (change: Partial<StreamAtTarget> = {}): StreamAtTarget => ({
  userId: 'u',
  targetMark: 'm',
  createdAt: 101,
  isWanted: false,
  ...change,
})

describe('a broadcast that was begun at a platform', () => {
  it.each([
    ['its stream has ended', [stream()], true],
    ['its stream began in the same millisecond, and has ended', [stream({ createdAt: 100 })], true],
    ['its stream runs', [stream({ isWanted: true })], false],
    ['one has ended and another runs', [stream(), stream({ isWanted: true })], false],
    ['no stream came', [], false],
    ['a stream from before has ended', [stream({ createdAt: 99 })], false],
    ['somebody else sent there', [stream({ userId: 'other' })], false],
    ['a stream to another target has ended', [stream({ targetMark: 'other' })], false],
  ])('when %s', (_, streams, due) => {
    expect(isDue(begun, streams, 100)).toBe(due)
  })

  it('is over when no stream took it in time, but not while one is wanted', () => {
    expect(isDue(begun, [], 101)).toBe(true)
    expect(isDue(begun, [stream({ isWanted: true, createdAt: 1 })], 101)).toBe(false)
  })

  it('is found behind hundreds that are on air, and no more at once than asked for', async () => {
    const rows = Array.from({ length: 1_200 }, (_, index) => ({ ...begun, id: `${index}`, target_mark: `m${index}` }))
    const isOver = (mark: string) => Number(mark.slice(1)) >= 1_100
    const found = await findDue(
      {
        repo: { open: async () => rows as BroadcastRow[] },
        streamsAt: async (marks) => marks.map((targetMark) => stream({ targetMark, isWanted: !isOver(targetMark) })),
      },
      { now: 200, unusedBefore: 0, limit: 20 },
    )
    expect(found.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => `${1_100 + index}`))
  })
})
