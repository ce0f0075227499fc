import { describe, expect, it } from 'vitest'
import type { Clip } from '../sequence/clips.ts'
import {
  type BegunSession,
  type Effect,
  type KeeperEvent,
  type KeeperState,
  NEW_KEEPER,
  type Poll,
  type Surroundings,
} from './keeper-state.ts'
import { nextState } from './next-state.ts'

const clipOf = (videoId: string): Clip => ({
  videoId,
  filename: `${videoId}.mp4`,
  path: `/media/${videoId}.mp4`,
  durationMs: 10_000,
  bytes: 1,
  loop: null,
})
const OWN = clipOf('own')
const OTHER = clipOf('other')

const around = (more: Partial<Surroundings> = {}): Surroundings => ({
  nowMs: 1_000_000,
  steadyMs: 5_000,
  clockStepMs: 0,
  random: 0.5,
  looping: true,
  isRelay: false,
  sessionLimitMs: null,
  isRecorded: false,
  keepsOnExit: false,
  ...more,
})
const sessionOf = (more: Partial<BegunSession> = {}): BegunSession => ({
  number: 1,
  pid: 42,
  birth: 'b',
  clip: OWN,
  item: 0,
  place: null,
  fromMs: 0,
  onFallback: false,
  note: null,
  ...more,
})
const pollOf = (more: Partial<Poll> = {}): KeeperEvent => ({
  type: 'polled',
  session: 1,
  poll: {
    verdict: 'moving',
    bitrateKbps: 800,
    speed: 1,
    frames: 250,
    outTimeMs: 6_000,
    unsentBytes: 0,
    clipMs: 10_000,
    saidAgoMs: 0,
    reads: null,
    ...more,
  },
})

/** Where a list of events leads, and all that was to be done on the way. */
function after(events: readonly KeeperEvent[], from: KeeperState, now = around()) {
  let state = from
  const effects: Effect[] = []
  for (const event of events) {
    const decision = nextState(state, event, now)
    state = decision.state
    effects.push(...decision.effects)
  }
  return { state, effects, types: effects.map(({ type }) => type) }
}

const FRESH: KeeperState = { ...NEW_KEEPER, videoId: 'own' }
const START: KeeperEvent[] = [
  { type: 'taken-over', session: null },
  { type: 'claimed' },
  { type: 'started', session: sessionOf() },
]
const LIVE = after([...START, pollOf()], FRESH).state
const timelineOf = (effects: readonly Effect[]) =>
  effects
    .flatMap((effect) => (effect.type === 'save' ? effect.news : []))
    .flatMap((event) => ('kind' in event ? [event.kind] : []))

describe('another video', () => {
  const wanted = (follows: boolean): KeeperEvent[] => [
    { type: 'swap-asked' },
    { type: 'swap-asked' },
    { type: 'swap-judged', wanted: { clip: OTHER, follows } },
  ]

  it('that is alike follows in the same session, and is its own once it plays', () => {
    const asked = after(wanted(true), LIVE)
    expect(asked.types).toEqual(['judge-swap', 'play-next'])
    const { state, effects } = after([pollOf({ outTimeMs: 21_000, reads: { clip: OTHER, place: null } })], asked.state)
    expect(state).toMatchObject({ clip: OTHER, nextClip: null, videoId: 'other', position: { ms: 0, fromMs: -20_000 } })
    expect(effects).toContainEqual(expect.objectContaining({ type: 'save', swappedTo: OTHER }))
  })

  it('that is not alike needs a new session, and begins it from its start when the pass has come to its end', () => {
    const asked = after([...wanted(false), pollOf({ outTimeMs: 6_500 })], LIVE)
    expect(asked.types).toEqual(['judge-swap', 'write-figures'])
    const near = after([pollOf({ outTimeMs: 9_000, saidAgoMs: 400 })], asked.state)
    expect(near.effects).toContainEqual({ type: 'await-pass', session: 1, ms: 600 })
    const over = after([{ type: 'pass-over', session: 1 }], near.state)
    expect(over.types).toEqual(['save', 'stop'])
    // Where nobody told of it in time, the next look does.
    expect(after([pollOf({ outTimeMs: 10_300 })], near.state).types).toContain('stop')
    const begun: KeeperEvent[] = [
      { type: 'exited', session: 1, reason: 'unknown' },
      { type: 'started', session: sessionOf({ number: 2, clip: OTHER }) },
    ]
    const { state, effects } = after(begun, over.state)
    expect(state).toMatchObject({ lastReason: 'video-changed', videoId: 'other', position: { ms: 0, fromMs: 0 } })
    expect(timelineOf(effects)).toContain('swapped')
  })

  it('that is not alike is begun at once where nothing is on air yet, and behind the only pass of what is played once', () => {
    const starting = { ...LIVE, stream: { ...LIVE.stream, at: 'starting' } as KeeperState['stream'] }
    expect(after(wanted(false), starting).types).toEqual(['judge-swap', 'save', 'stop'])
    const once = around({ looping: false })
    const ended: KeeperEvent = { type: 'exited', session: 1, reason: 'source-ended' }
    const { state, types } = after([...wanted(false), pollOf({ outTimeMs: 9_900 }), ended], LIVE, once)
    expect(state.stream.at).toBe('starting')
    expect(types).not.toContain('stop')
  })

  it('takes the place of one that was asked for before, alike or not', () => {
    const third = { ...OTHER, videoId: 'third', path: '/third' }
    const judged = (clip: typeof OTHER, follows: boolean): KeeperEvent => ({
      type: 'swap-judged',
      wanted: { clip, follows },
    })
    const unlike = after([judged(OTHER, true), judged(third, false)], LIVE)
    expect(unlike.effects.at(-1)).toEqual({ type: 'play-next', next: { clip: OWN, place: null } })
    const alike = after([judged(OTHER, false), judged(third, true), pollOf({ outTimeMs: 10_300 })], LIVE)
    expect(alike.types).not.toContain('stop')
    // ffmpeg may have come to the former one in that very moment: then that one plays, and the other is still to come.
    const former = after(
      [judged(OTHER, true), judged(third, true), pollOf({ reads: { clip: OTHER, place: null } })],
      LIVE,
    )
    expect(former.state).toMatchObject({ clip: OTHER, nextClip: third })
  })

  it('is asked for again where it could not be put into its place', () => {
    const asked = after(wanted(true), LIVE)
    const refused = after([{ type: 'next-refused', clip: OTHER }], asked.state)
    expect(after(wanted(true), refused.state).types).toEqual(['judge-swap', 'play-next'])
  })

  it('is what the next session begins with, where none runs now', () => {
    const waiting = after([{ type: 'exited', session: 1, reason: 'target-closed' }], LIVE).state
    const asked = after(wanted(true), waiting)
    expect(asked.types).toEqual(['judge-swap'])
    expect(asked.state.nextClip).toBeNull()
  })

  it('that came while it was judged is not asked for twice', () => {
    const playing = { ...LIVE, clip: OTHER, videoId: 'other' }
    expect(after(wanted(true), playing).types).toEqual(['judge-swap'])
  })
})
