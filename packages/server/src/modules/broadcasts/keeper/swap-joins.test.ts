import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { after, FRESH, LIVE, OTHER, OWN, pollOf, sessionOf } from '../../../../test/support/keeper-events.ts'
import type { BegunSession, KeeperEvent, KeeperState } from './keeper-state.ts'

const WANTED: KeeperEvent[] = [
  { type: 'swap-asked' },
  { type: 'swap-judged', after: OWN, wanted: { clip: OTHER, follows: true } },
]
/** Which began within the clip, and was last seen well before its end. */
const playing = (fromMs: number, sentMs: number): KeeperState => ({
  ...LIVE,
  position: { item: 0, ms: (fromMs + sentMs) % 10_000, fromMs },
  sentMs,
})
const OTHER_READ = { reads: { clip: OTHER, place: null } }

describe('where another video joins a loop', () => {
  it('is the end of the pass that ffmpeg is nearest to: it opens a file before it has sent the one before, and speaks once a second', () => {
    fc.assert(
      fc.property(
        fc.record({
          clipMs: fc.integer({ min: 6_100, max: 3 * 3_600_000 }),
          fromMs: fc.nat(60_000),
          passes: fc.integer({ min: 1, max: 50 }),
          lateMs: fc.integer({ min: -2_000, max: 2_000 }),
          saidAgoMs: fc.nat(1_000),
        }),
        ({ clipMs, passes, lateMs, saidAgoMs, ...from }) => {
          const fromMs = from.fromMs % clipMs
          const joinMs = passes * clipMs - fromMs
          const outTimeMs = joinMs + lateMs
          fc.pre(outTimeMs > 0)
          const asked = after(WANTED, playing(fromMs, 0)).state
          const { state } = after([pollOf({ clipMs, outTimeMs, saidAgoMs, ...OTHER_READ })], asked)
          expect(state).toMatchObject({ clip: OTHER, position: { fromMs: -joinMs } })
        },
      ),
    )
  })

  it('is never taken for the end of a pass twice', () => {
    const asked = after(WANTED, playing(0, 9_000)).state
    const early = after([pollOf({ outTimeMs: 9_700, ...OTHER_READ })], asked).state
    expect(early.position).toMatchObject({ ms: 0, fromMs: -10_000 })
    // It is to end with its pass, which has just begun.
    const ending = after([{ type: 'end-asked' }], early)
    const looks = [9_900, 10_800, 19_900].map((outTimeMs) => pollOf({ outTimeMs, ...OTHER_READ }))
    const within = after(looks, ending.state)
    expect(within.types).not.toContain('judge-end')
    expect(within.state.position.ms).toBe(9_900)
    expect(after([pollOf({ outTimeMs: 20_900, ...OTHER_READ })], within.state).types).toContain('judge-end')
  })
})

describe('a loop that is taken over', () => {
  const left: KeeperState = {
    ...FRESH,
    stream: LIVE.stream,
    position: { item: 0, ms: 5_000, fromMs: 0 },
    sentMs: 5_000,
  }
  const found = (more: Partial<BegunSession>): KeeperEvent => ({
    type: 'taken-over',
    session: sessionOf({ outTimeMs: 12_000, ...more }),
  })

  it('plays what came while no program was there, which is written down, and goes on with it', () => {
    const { state, effects } = after([found({ clip: OTHER, fromMs: -10_000, isSwapped: true })], left)
    expect(state).toMatchObject({ clip: OTHER, videoId: 'other', nextClip: null, position: { fromMs: -10_000 } })
    expect(effects).toMatchObject([
      { type: 'save', swappedTo: OTHER, news: [{ kind: 'swapped', reason: 'other.mp4' }] },
      { type: 'play-next', next: { clip: OTHER } },
    ])
  })

  it('keeps what is still to come, and sees it come', () => {
    const taken = after([found({ asked: OTHER })], left)
    expect(taken.effects).toMatchObject([{ type: 'save' }, { type: 'play-next', next: { clip: OTHER } }])
    const { state } = after([pollOf({ outTimeMs: 20_200, ...OTHER_READ })], taken.state)
    expect(state).toMatchObject({ clip: OTHER, videoId: 'other', nextClip: null, position: { fromMs: -20_000 } })
  })
})
