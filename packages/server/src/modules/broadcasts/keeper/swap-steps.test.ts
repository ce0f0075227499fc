import { describe, expect, it } from 'vitest'
import {
  after,
  around,
  LIVE,
  OTHER,
  OWN,
  pollOf,
  sessionOf,
  timelineOf,
} from '../../../../test/support/keeper-events.ts'
import type { KeeperEvent, KeeperState } from './keeper-state.ts'

describe('another video', () => {
  const wanted = (follows: boolean): KeeperEvent[] => [
    { type: 'swap-asked' },
    { type: 'swap-asked' },
    { type: 'swap-judged', after: OWN, wanted: { clip: OTHER, follows } },
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
      after: OWN,
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

  it('that came while it was judged is not asked for twice: what else may be asked for is judged again', () => {
    const playing = { ...LIVE, clip: OTHER, videoId: 'other' }
    const { effects } = after(wanted(true), playing)
    expect(effects).toEqual([OTHER, OTHER].map((clip) => ({ type: 'judge-swap', clip, nextClip: null })))
  })
})

describe('the video that plays, asked for again', () => {
  const asked = (clip: typeof OTHER, follows: boolean, playing = OWN): KeeperEvent => ({
    type: 'swap-judged',
    after: playing,
    wanted: { clip, follows },
  })
  const SAID = { type: 'save', news: [], swappedTo: OWN }
  const nextPass = pollOf({ outTimeMs: 10_300 })

  it.each([
    ['alike', true],
    ['unlike', false],
  ])('withdraws the %s one that was to come, which is written down with the next pass', (_, follows) => {
    const back = after([asked(OTHER, follows), asked(OWN, true)], LIVE)
    expect(back.effects.at(-1)).toEqual({ type: 'play-next', next: { clip: OWN, place: null } })
    expect(back.state).toMatchObject({ clip: OWN, needsNewSession: false })
    const over = after([nextPass, { type: 'pass-over', session: 1 }], back.state)
    expect(over.types).not.toContain('stop')
    expect(over.effects).toContainEqual(SAID)
    expect(over.state).toMatchObject({ clip: OWN, videoId: 'own', nextClip: null, formerNexts: [] })
    // Once is enough.
    expect(after([pollOf({ outTimeMs: 20_300 })], over.state).effects).not.toContainEqual(SAID)
  })

  it('comes behind the other one, where ffmpeg has come to that in this very moment', () => {
    const back = after([asked(OTHER, true), asked(OWN, true)], LIVE)
    const { state } = after([pollOf({ outTimeMs: 10_300, reads: { clip: OTHER, place: null } })], back.state)
    expect(state).toMatchObject({ clip: OTHER, nextClip: OWN })
    const own = after([pollOf({ outTimeMs: 20_600, reads: { clip: OWN, place: null } })], state)
    expect(own.state).toMatchObject({ clip: OWN, nextClip: null, videoId: 'own' })
  })

  it('is written down at once where nothing else was to come', () => {
    const back = after([asked(OWN, true)], LIVE)
    expect(back.effects).toEqual([SAID])
    expect(back.state.nextClip).toBeNull()
  })

  it('plays to its end where it is played once, and that is the end', () => {
    const once = around({ looping: false })
    const ended: KeeperEvent = { type: 'exited', session: 1, reason: 'source-ended' }
    const back = after([asked(OTHER, false), asked(OWN, false)], LIVE, once)
    expect(back.effects).toEqual([SAID])
    expect(after([ended], back.state, once).state.stream).toMatchObject({ at: 'ended' })
  })

  it('is judged again where another one has begun meanwhile, which it may not be alike', () => {
    const restarted = { ...LIVE, clip: OTHER, videoId: 'other' }
    const { effects } = after([asked(OWN, true)], restarted)
    expect(effects).toEqual([{ type: 'judge-swap', clip: OTHER, nextClip: null }])
  })
})
