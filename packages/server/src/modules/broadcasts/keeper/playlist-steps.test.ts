import { describe, expect, it } from 'vitest'
import type { Clip } from '../sequence/clips.ts'
import type { Decision } from './advance.ts'
import {
  type BegunSession,
  type KeeperEvent,
  type ListEntry,
  NEW_KEEPER,
  type Poll,
  type Surroundings,
} from './keeper-state.ts'
import { nextState } from './next-state.ts'

const clip = (name: string): Clip => ({
  videoId: `video-${name}`,
  filename: `${name}.mp4`,
  path: `/media/${name}.mp4`,
  durationMs: 10_000,
  bytes: 1_000,
  loop: null,
})
const [A, B, C] = [clip('a'), clip('b'), clip('c')]
const at = (itemId: string, round = 0) => ({ itemId, round })
const NOW: Surroundings = {
  ...{ nowMs: 1_000_000, steadyMs: 0, clockStepMs: 0, random: 0, looping: true },
  ...{ isRelay: false, sessionLimitMs: null, isRecorded: false, keepsOnExit: false },
}
const SESSION: BegunSession = {
  ...{ number: 1, pid: 42, birth: 'b', clip: A, item: 0, place: at('a') },
  ...{ fromMs: 0, onFallback: false, note: null },
}
const polled = (more: Partial<Poll>): KeeperEvent => ({
  type: 'polled',
  session: 1,
  poll: {
    ...{ verdict: 'moving', bitrateKbps: 800, speed: 1, frames: 25, outTimeMs: 4_000, unsentBytes: 0 },
    ...{ clipMs: 10_000, saidAgoMs: 0, reads: { clip: A, place: at('a') } },
    ...more,
  },
})
const judged = (after: string, next: Clip, itemId: string, follows = true): KeeperEvent => ({
  type: 'next-judged',
  after: at(after),
  next: { clip: next, place: at(itemId), follows },
})

function after(events: readonly KeeperEvent[], now: Surroundings = NOW): Decision {
  const begun: Decision = {
    state: {
      ...NEW_KEEPER,
      place: at('a'),
      videoId: A.videoId,
      stream: { ...NEW_KEEPER.stream, at: 'starting' } as never,
    },
    effects: [],
  }
  return events.reduce(({ state, effects }, event) => {
    const decision = nextState(state, event, now)
    return { state: decision.state, effects: [...effects, ...decision.effects] }
  }, begun)
}
const pointed = ({ effects }: Decision) =>
  effects.flatMap((effect) => (effect.type === 'play-next' ? [effect.next?.clip ?? null] : []))
const asked = ({ effects }: Decision) =>
  effects.flatMap((effect) => (effect.type === 'judge-next' ? [effect.place] : []))

const STARTED: KeeperEvent = { type: 'started', session: SESSION }
const LIVE = [STARTED, judged('a', B, 'b'), polled({})]

describe('[LIST-02] the keeper of a playlist', () => {
  it('asks what follows as soon as an item has begun, and points to it', () => {
    expect(asked(after([STARTED]))).toEqual([at('a')])
    expect(pointed(after([STARTED, judged('a', B, 'b')]))).toEqual([B])
  })

  it('asks nothing where the session began with what follows', () => {
    const next = { clip: B, place: at('b'), follows: true }
    const begun = [{ type: 'started', session: { ...SESSION, next } } as const, polled({})]
    expect([asked(after(begun)), pointed(after(begun))]).toEqual([[], []])
    const joined = after([...begun, polled({ outTimeMs: 10_300, reads: { clip: B, place: at('b') } })])
    expect([joined.state.place, asked(joined)]).toEqual([at('b'), [at('b')]])
    const last = after([{ type: 'started', session: { ...SESSION, next: 'end' } }, polled({})])
    expect([last.state.nextPlace, asked(last)]).toEqual(['end', []])
  })

  it('says what is to be seen where nobody told in time what follows, and goes on behind the item that it was at', () => {
    const atB = [...LIVE, polled({ outTimeMs: 10_300, reads: { clip: B, place: at('b') } })]
    const late = after([...atB, polled({ outTimeMs: 20_300, reads: { clip: A, place: at('a') } })])
    expect(late.state).toMatchObject({ clip: A, videoId: 'video-a', place: at('b') })
    expect(
      pointed(after([...atB, polled({ outTimeMs: 20_300, reads: { clip: A, place: at('a') } }), judged('b', C, 'c')])),
    ).toEqual([B, C])
  })

  it('is at the next item once ffmpeg reads it, to the millisecond, and asks what follows that', () => {
    const joined = after([...LIVE, polled({ outTimeMs: 10_300, reads: { clip: B, place: at('b') } })])
    expect(joined.state).toMatchObject({ place: at('b'), clip: B, videoId: 'video-b', nextPlace: null })
    expect(joined.state.position).toEqual({ item: 0, ms: 300, fromMs: -10_000 })
    expect(asked(joined).at(-1)).toEqual(at('b'))
    expect(joined.effects).toContainEqual({ type: 'save', news: [], swappedTo: B })
  })

  it('sees a join also while ffmpeg says nothing: the next one may be due before it speaks again', () => {
    const joined = after([...LIVE, polled({ verdict: 'quiet', reads: { clip: B, place: at('b') } })])
    expect(joined.state.place).toEqual(at('b'))
  })

  it('stays at the end of an item until the next one is read', () => {
    const late = after([...LIVE, polled({ outTimeMs: 10_900 })])
    expect([late.state.place, late.state.position.ms]).toEqual([at('a'), 10_000])
  })

  it('points to something else when the list was changed', () => {
    const edited = after([...LIVE, { type: 'swap-asked' }, judged('a', C, 'c')])
    expect(pointed(edited)).toEqual([B, C])
    expect(edited.state).toMatchObject({ nextPlace: at('c'), nextClip: C })
    // The same answer again changes nothing.
    expect(pointed(after([...LIVE, { type: 'swap-asked' }, judged('a', B, 'b')]))).toEqual([B])
  })

  it('is where ffmpeg is, when it had come to the former item just before the change', () => {
    const edited = [...LIVE, { type: 'swap-asked' } as const, judged('a', C, 'c')]
    const joined = after([...edited, polled({ outTimeMs: 10_100, reads: { clip: B, place: at('b') } })])
    expect(joined.state.place).toEqual(at('b'))
    expect(asked(joined).at(-1)).toEqual(at('b'))
  })

  it('asks anew when the answer is about an item that is over, or did not come', () => {
    const early = [STARTED, judged('a', B, 'b'), polled({ outTimeMs: 10_100, reads: { clip: B, place: at('b') } })]
    expect(asked(after([...early, judged('a', B, 'b')])).at(-1)).toEqual(at('b'))
    const unanswered = after([STARTED, { type: 'next-judged', after: at('a'), next: null }, polled({})])
    expect(asked(unanswered)).toEqual([at('a'), at('a')])
  })
})

describe('an item that cannot follow in the same session', () => {
  const exit: KeeperEvent = { type: 'exited', session: 1, reason: 'source-ended' }

  it('is started in a new one at once, when the one before it has come to its end', () => {
    const joined = after([STARTED, judged('a', B, 'b', false), polled({}), exit])
    expect(pointed(joined)).toEqual([null])
    expect(joined.state.stream.at).toBe('starting')
    const start = joined.effects.findLast(({ type }) => type === 'start')
    expect(start).toMatchObject({ position: { place: at('b'), ms: 0 } })
    expect(joined.effects.some(({ type }) => type === 'wait')).toBe(false)
  })

  it('waits where the session was never on air, so that a broken file is not tried without a pause', () => {
    expect(after([STARTED, judged('a', B, 'b', false), exit]).state.stream.at).toBe('waiting')
  })
})

describe('an item whose file cannot be read', () => {
  const exit: KeeperEvent = { type: 'exited', session: 1, reason: 'source-unreadable' }
  const tried = [judged('a', B, 'b'), exit, { type: 'wait-over' } as const]
  const startOf = ({ effects }: Decision) => effects.findLast(({ type }) => type === 'start')

  it('is passed over: the others go on', () => {
    expect(startOf(after([STARTED, ...tried]))).toMatchObject({ position: { place: at('b'), ms: 0 } })
  })

  it("is tried once more where it was on air before, since its end may be the machine's fault", () => {
    expect(startOf(after([...LIVE, ...tried]))).toMatchObject({ position: { place: at('a') } })
  })

  it('stays in its place while it is the target that refuses', () => {
    const refused: KeeperEvent = { type: 'exited', session: 1, reason: 'target-refused' as never }
    const waited = after([STARTED, judged('a', B, 'b'), refused, { type: 'wait-over' }])
    expect(startOf(waited)).toMatchObject({ position: { place: at('a') } })
  })
})

describe('[LIST-01] the end of a list that is played once', () => {
  const end: KeeperEvent = { type: 'next-judged', after: at('a'), next: 'end' }
  const exit: KeeperEvent = { type: 'exited', session: 1, reason: 'source-ended' }

  it('is the end of the broadcast', () => {
    const ended = after([STARTED, end, polled({}), exit], { ...NOW, looping: false })
    expect(pointed(ended)).toEqual([null])
    expect(ended.state.stream).toMatchObject({ at: 'ended', reason: 'finished' })
  })

  it('is not, when something was added before it came', () => {
    const added = after([STARTED, end, { type: 'swap-asked' }, judged('a', B, 'b')], { ...NOW, looping: false })
    expect(pointed(added)).toEqual([null, B])
  })
})

describe('[LIST-03] a list that is taken over', () => {
  const [atA, atB] = [
    { clip: A, place: at('a') },
    { clip: B, place: at('b') },
  ]
  const left = (plays: ListEntry, more: Partial<BegunSession>): KeeperEvent => ({
    type: 'taken-over',
    session: { ...SESSION, ...plays, ...more },
  })

  it('plays the item behind the one that was to follow, once that has come', () => {
    // ffmpeg went a b a while no program was there.
    const taken = left(atA, { next: { ...atB, follows: true } })
    const joined = after([taken, polled({ outTimeMs: 30_300, reads: atB }), judged('a', B, 'b'), judged('b', C, 'c')])
    expect(joined.state).toMatchObject({ clip: B, place: at('b'), nextPlace: at('c') })
    expect(pointed(joined)).toEqual([C])
  })

  it('goes on to what was said to follow, also where ffmpeg has read that before', () => {
    // It went a b a b: nobody could tell in time what follows b, so it came to a once more.
    const taken = left(atB, { next: { ...atA, follows: true } })
    const back = [taken, polled({ outTimeMs: 40_300, reads: atA }), judged('b', C, 'c'), judged('a', B, 'b')]
    const again = after([...back, polled({ outTimeMs: 50_300, reads: atB }), judged('a', B, 'b'), judged('b', C, 'c')])
    expect(again.state).toMatchObject({ clip: B, place: at('b'), nextPlace: at('c') })
    expect(pointed(again)).toEqual([B, C])
  })

  it('goes on behind the furthest item, where ffmpeg comes once more to the one before', () => {
    const taken = left(atB, { before: atA })
    const again = after([taken, polled({ outTimeMs: 40_300, reads: atA }), judged('b', C, 'c')])
    expect(again.state).toMatchObject({ clip: A, place: at('b'), nextPlace: at('c') })
    expect(pointed(again)).toEqual([C])
  })

  it('is told what follows, whatever an earlier run says that it was told', () => {
    expect(pointed(after([left(atA, { next: { ...atB, follows: true } }), judged('a', B, 'b')]))).toEqual([B])
  })

  it('never has what it reads behind both slots: no join would be seen again', () => {
    const onceMore = [left(atB, { before: atA }), polled({ outTimeMs: 40_300, reads: atA })]
    // Somebody has put a behind b.
    const changed = after([...onceMore, judged('b', A, 'a')])
    expect([pointed(changed), asked(changed).at(-1), changed.state.place]).toEqual([[], at('a'), at('a')])
    expect(pointed(after([...onceMore, judged('b', A, 'a'), judged('a', C, 'c')]))).toEqual([C])
  })
})

describe('[LIST-03] an ffmpeg that dies', () => {
  it('is followed by one at the same place', () => {
    const died = after([...LIVE, { type: 'exited', session: 1, reason: 'killed' as never }, { type: 'wait-over' }])
    const start = died.effects.findLast(({ type }) => type === 'start')
    expect(start).toMatchObject({ position: { place: at('a'), ms: 4_000 } })
  })

  it('asks once more what follows, a moment before a long item ends: its file may be gone by then', () => {
    const long = { clipMs: 60_000 }
    const begun = [...LIVE, polled({ ...long, outTimeMs: 50_000 })]
    expect(asked(after(begun))).toEqual([at('a')])
    const soon = [...begun, polled({ ...long, outTimeMs: 56_000 }), polled({ ...long, outTimeMs: 57_000 })]
    expect(asked(after(soon))).toEqual([at('a'), at('a')])
    expect(pointed(after([...soon, judged('a', C, 'c')]))).toEqual([B, C])
    expect(pointed(after([...soon, judged('a', B, 'b')]))).toEqual([B])
    // A short one has been asked just before.
    expect(asked(after([...LIVE, polled({ outTimeMs: 9_000 })]))).toEqual([at('a')])
  })

  it('waits where no item can be played, says why, and goes on behind the item that was the last', () => {
    const nothing: KeeperEvent = { type: 'next-judged', after: at('a'), next: 'nothing' }
    const told = after([...LIVE, nothing, nothing, polled({ outTimeMs: 8_000 })])
    // Nothing is asked again and again.
    expect([pointed(told), asked(told)]).toEqual([[B, null], [at('a')]])
    const { state, effects } = after([...LIVE, nothing, { type: 'exited', session: 1, reason: 'source-ended' }])
    expect(state.stream).toMatchObject({ at: 'waiting', reason: 'playlist-unplayable' })
    expect([state.place, state.position.ms]).toEqual([at('a'), 10_000])
    const news = effects.flatMap((effect) => (effect.type === 'save' ? effect.news : []))
    expect(news).toContainEqual(expect.objectContaining({ kind: 'lost', reason: 'playlist-unplayable' }))
  })

  it('tells its owner what is passed over, and changes nothing for that', () => {
    const passed = { why: 'damaged', filename: 'b.mp4', more: 2 } as const
    const { state, effects } = after([...LIVE, { type: 'passed-over', passed }])
    expect(state).toEqual(after(LIVE).state)
    const reason = JSON.stringify(passed)
    expect(effects.at(-1)).toEqual({
      type: 'save',
      news: [{ at: NOW.nowMs, kind: 'passed-over', reason, offAirMs: null }],
    })
  })
})
