import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { follow, type Life, type LifeFact, lifeOf } from './spans.ts'

const NEW: Life = { knownFrom: 100, firstLiveAt: null, endedAt: null, endReason: null, endCause: null, spans: [] }
const live = (at: number, offAirMs: number | null = null): LifeFact => ({ type: 'live', at, offAirMs })
const lost = (at: number, more = {}): LifeFact => ({
  ...{ type: 'interrupted', at, reason: 'target-closed', planned: false, seenAt: null },
  ...more,
})
const ended = (
  at: number,
  reason = 'stopped',
  cause: string | null = null,
  seenAt: number | null = null,
): LifeFact => ({
  ...{ type: 'ended', at, reason, cause, seenAt },
})
const through = (facts: readonly LifeFact[], life = NEW): Life => facts.reduce(follow, life)
const told = ({ spans }: Life) =>
  spans.map(({ kind, beganAt, endedAt, outcome }) => `${kind} ${beganAt}-${endedAt ?? ''} ${outcome ?? ''}`.trim())

describe('[STAT-02] the life of a stream, out of facts', () => {
  it('is runs and incidents, one after the other', () => {
    expect(told(through([live(110), lost(200), live(230), ended(300)]))).toEqual([
      ...['run 110-200', 'incident 200-230 recovered', 'run 230-300'],
    ])
  })
  it('ends in an incident where it was off air, ended or given up', () => {
    expect(told(through([live(110), lost(200), ended(300)]))).toEqual(['run 110-200', 'incident 200-300 ended'])
    expect(told(through([live(110), lost(200), ended(300, 'failed')]))).toEqual([
      ...['run 110-200', 'incident 200-300 failed'],
    ])
  })
  it('has the newest reason of an incident, and none on air', () => {
    const still: LifeFact = { type: 'still-off', at: 210, reason: 'target-unreachable' }
    expect(through([live(110), lost(200), still, live(230), { ...still, at: 240 }]).spans).toMatchObject([
      ...[{ reason: null }, { reason: 'target-unreachable', beganAt: 200, endedAt: 230 }, { reason: null }],
    ])
  })
  it('that never got on air is one incident; one that was stopped before is none', () => {
    const failed = through([ended(300, 'failed', 'target-refused')])
    expect(failed.spans).toMatchObject([{ beganAt: 100, endedAt: 300, reason: 'target-refused', outcome: 'failed' }])
    expect(through([ended(300)])).toMatchObject({ spans: [], endedAt: 300, endReason: 'stopped' })
  })
  it('went off air when it was last seen, where the program was away', () => {
    expect(told(through([live(110), lost(5_000, { seenAt: 400 }), live(5_010)]))).toEqual([
      ...['run 110-400', 'incident 400-5010 recovered', 'run 5010-'],
    ])
    // Figures that are older than the run say nothing about it.
    expect(told(through([live(110), lost(500, { seenAt: 50 })]))).toEqual(['run 110-110', 'incident 110-'])
  })
  it('ended when it was last seen, where the program was killed while it was ending', () => {
    const over = through([live(110), ended(90_000, 'stopped', null, 400)])
    expect([told(over), over.endedAt]).toEqual([['run 110-400'], 400])
    expect(told(through([live(110), ended(500, 'stopped', null, 50)]))).toEqual(['run 110-110'])
  })
  it('goes on by a clock that was set back: what that clock had written ahead moves back', () => {
    // The clock was 9000 ahead for a while.
    const ahead = [live(110), lost(9_200), live(9_230), lost(9_300)]
    expect(told(through([...ahead, live(330), lost(400), ended(450)]))).toEqual([
      ...['run 110-330', 'incident 330-330 recovered', 'run 330-330', 'incident 330-330 recovered'],
      ...['run 330-400', 'incident 400-450 ended'],
    ])
    expect(through([live(9_110), lost(300)])).toMatchObject({ firstLiveAt: 300 })
  })
  it('keeps what it knows while the clock shows a time before it was asked for', () => {
    expect(told(through([live(110), lost(200), live(3), ended(300)]))).toEqual([
      ...['run 110-200', 'incident 200-200 recovered', 'run 200-300'],
    ])
  })
  it('knows of an interruption that began before it was watched', () => {
    expect(told(through([live(500, 150)]))).toEqual(['incident 350-500 recovered', 'run 500-'])
    expect(told(through([live(500, 9_999)]))).toEqual(['incident 100-500 recovered', 'run 500-'])
  })

  const someFact = fc.oneof(
    fc
      .record({ at: fc.integer({ min: 0, max: 1000 }), off: fc.option(fc.integer({ min: 0, max: 500 })) })
      .map(({ at, off }) => live(at, off)),
    fc
      .record({ at: fc.integer({ min: 0, max: 1000 }), seenAt: fc.option(fc.integer({ min: 0, max: 1000 })) })
      .map(({ at, seenAt }) => lost(at, { seenAt })),
    fc
      .record({
        at: fc.integer({ min: 0, max: 1000 }),
        seenAt: fc.option(fc.integer({ min: 0, max: 1000 })),
        failed: fc.boolean(),
      })
      .map(({ at, seenAt, failed }) => ended(at, failed ? 'failed' : 'stopped', null, seenAt)),
  )
  it('is whole whatever comes, in any order, by a clock that is set: no gap between stretches, none overlaps, one is open at most', () => {
    fc.assert(
      fc.property(fc.array(someFact, { maxLength: 30 }), (facts) => {
        const { spans, endedAt } = through(facts)
        spans.forEach((span, index) => {
          const next = spans[index + 1]
          expect(span.beganAt).toBeGreaterThanOrEqual(100)
          if (span.endedAt !== null) expect(span.endedAt).toBeGreaterThanOrEqual(span.beganAt)
          if (next) expect(span.endedAt).toBe(next.beganAt)
          if (next) expect(next.kind).not.toBe(span.kind)
        })
        expect(spans.filter((span) => span.endedAt === null).length).toBeLessThanOrEqual(endedAt === null ? 1 : 0)
      }),
    )
  })
  it('is the same however its facts are cut into batches, and when a fact comes twice', () => {
    fc.assert(
      fc.property(fc.array(someFact, { maxLength: 20 }), (facts) => {
        const twice = facts.flatMap((fact) => [fact, fact])
        expect(told(through(twice))).toEqual(told(through(facts)))
      }),
    )
  })
})

describe('[STAT-02] a stream that was there before', () => {
  const row = { askedAt: 100, firstLiveAt: 120, liveSince: 120, offAirSince: null, reason: null, reconnects: 0 }
  it('is known from its beginning where it was never interrupted, else from the stretch that runs', () => {
    expect(lifeOf(row, 900)).toMatchObject({ knownFrom: 100, spans: [{ kind: 'run', beganAt: 120, endedAt: null }] })
    expect(lifeOf({ ...row, liveSince: 700, reconnects: 2 }, 900)).toMatchObject({
      knownFrom: 700,
      spans: [{ kind: 'run', beganAt: 700 }],
    })
    const away = lifeOf({ ...row, liveSince: null, offAirSince: 800, reason: 'stalled' }, 900)
    expect(away).toMatchObject({ knownFrom: 800, spans: [{ kind: 'incident', beganAt: 800, reason: 'stalled' }] })
    expect(lifeOf({ ...row, firstLiveAt: null, liveSince: null }, 900)).toMatchObject({ knownFrom: 100, spans: [] })
  })
})
