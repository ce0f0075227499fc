import { describe, expect, it } from 'vitest'
import type { Clip } from '../sequence/clips.ts'
import { type KeeperEvent, type KeeperState, NEW_KEEPER, type Poll, type Surroundings } from './keeper-state.ts'
import { nextState } from './next-state.ts'
import type { PieceNews } from './sent-pieces.ts'

const clip = (name: string, durationMs = 10_000): Clip => ({
  ...{ videoId: name, filename: `${name}.mp4`, path: `/${name}`, key: `u/${name}/master.mp4`, tailKey: null },
  ...{ durationMs, bytes: 1, loop: null },
})
const [A, B] = [clip('a'), clip('b')]

const NOW: Surroundings = {
  ...{ nowMs: 1_000_000, steadyMs: 0, clockStepMs: 0, random: 0.5, looping: true, isRelay: false, isRecorded: true },
  ...{ sessionLimitMs: null, keepsOnExit: false },
}
const begun = (number: number, played: Clip, fromMs = 0) => ({
  ...{ number, pid: 100 + number, birth: 'boot', clip: played, item: 0, fromMs, place: null, onFallback: false },
  note: null,
})
const poll = (outTimeMs: number, playing: Clip | null = null): Poll => ({
  ...{ verdict: 'moving', bitrateKbps: 1, speed: 1, frames: 1, outTimeMs, unsentBytes: 0, clipMs: 10_000 },
  ...{ saidAgoMs: 0, reads: playing && { clip: playing, place: null } },
})

/** Carries events out one after the other, and gathers what was written down of pieces. */
function lived(
  events: readonly [KeeperEvent, number?][],
  start: KeeperState = { ...NEW_KEEPER, videoId: 'a' },
  now = NOW,
) {
  const told: PieceNews[] = []
  let state = start
  for (const [event, nowMs = now.nowMs] of events) {
    const decision = nextState(state, event, { ...now, nowMs })
    state = decision.state
    for (const effect of decision.effects) if (effect.type === 'save') told.push(...(effect.pieces ?? []))
  }
  return { state, told }
}

const ON_AIR: [KeeperEvent, number?][] = [
  [{ type: 'claimed' }],
  [{ type: 'started', session: begun(1, A, 4_000) }],
  [{ type: 'polled', session: 1, poll: poll(500) }, 1_000_500],
]

describe('the pieces of a recorded stream', () => {
  it('begin once something was sent, and go on for as long as the clip loops in one session', () => {
    const { told } = lived([
      ...ON_AIR,
      [{ type: 'polled', session: 1, poll: poll(60_000) }],
      [{ type: 'polled', session: 1, poll: poll(90_000) }],
    ])
    expect(told).toHaveLength(1)
    expect(told[0]?.piece).toMatchObject({ session: '101 boot', clip: A, fromMs: 4_000, beganAt: 1_000_000 })
  })

  it('begin by the clock as it was before a step that may be a mistake', () => {
    const { told } = lived(ON_AIR, undefined, { ...NOW, clockErrorMs: 3_600_000 })
    expect(told[0]?.piece).toMatchObject({ beganAt: 1_000_000 - 3_600_000 })
  })

  it('end where the next clip of the session joins, which is where the pass before ended', () => {
    const { told, state } = lived([
      ...ON_AIR,
      [{ type: 'swap-asked' }],
      [{ type: 'swap-judged', after: A, wanted: { clip: B, follows: true } }],
      [{ type: 'polled', session: 1, poll: poll(16_700, B) }, 1_016_700],
    ])
    // It began at 4 s of 10, so passes end at 6 s, at 16 s and so on.
    expect(state.position.fromMs).toBe(-16_000)
    expect(told[1]).toMatchObject({
      endOutMs: null,
      piece: { clip: B, fromMs: -16_000, beganAt: 1_016_000, reason: null },
    })
  })

  it('end with their session, as far as its last words say; the next one says why there was a gap', () => {
    const { told } = lived([
      ...ON_AIR,
      [{ type: 'polled', session: 1, poll: poll(8_000) }],
      [{ type: 'exited', session: 1, reason: 'target-closed', outTimeMs: 8_600 }],
      [{ type: 'wait-over' }, 1_060_000],
      [{ type: 'started', session: begun(2, A, 2_000) }, 1_060_000],
      [{ type: 'polled', session: 2, poll: poll(400) }, 1_061_000],
    ])
    expect(told.slice(1)).toMatchObject([
      { endOutMs: 8_600, piece: null },
      { piece: { session: '102 boot', fromMs: 2_000, reason: 'target-closed', beganAt: 1_060_600 } },
    ])
  })

  it('are also of a session that ended before anything was seen of it, as far as its last words say', () => {
    const { told } = lived([
      ...ON_AIR,
      [{ type: 'exited', session: 1, reason: 'target-closed', outTimeMs: 5_400 }, 1_005_500],
      [{ type: 'wait-over' }],
      [{ type: 'started', session: begun(2, A) }, 1_008_000],
      [{ type: 'stop-asked', cause: null }],
      [{ type: 'exited', session: 2, reason: 'unknown', outTimeMs: 1_900 }, 1_010_000],
    ])
    expect(told.slice(1)).toMatchObject([
      { piece: null, endOutMs: 5_400 },
      { piece: { session: '102 boot', clip: A, beganAt: 1_008_100, reason: 'target-closed' } },
      { piece: null, endOutMs: 1_900 },
    ])
  })

  it('end with what the row says where nobody was there to see it', () => {
    const left: KeeperState = {
      ...NEW_KEEPER,
      sentMs: 7_500,
      stream: { at: 'live', sinceMs: 1 } as KeeperState['stream'],
    }
    const { told } = lived([[{ type: 'taken-over', session: null }]], left)
    expect(told).toMatchObject([{ piece: null, endOutMs: 7_500 }])
  })

  it('are none of a session that sent nothing, of an online source, and of a stream that is not recorded', () => {
    const [claimed, started] = ON_AIR
    const silent: [KeeperEvent, number?][] = [
      ...(claimed && started ? [claimed, started] : []),
      [{ type: 'exited', session: 1, reason: 'target-refused', outTimeMs: 0 }],
    ]
    expect(lived(silent).told).toEqual([])
    expect(lived(ON_AIR, NEW_KEEPER, { ...NOW, isRecorded: false }).told).toEqual([])
    const online = { ...A, key: undefined } as unknown as Clip
    expect(
      lived([
        [{ type: 'claimed' }],
        [{ type: 'started', session: begun(1, online) }],
        [{ type: 'polled', session: 1, poll: poll(500) }],
      ]).told,
    ).toEqual([])
  })

  it('of a list that ran on while no program was there are told as it is taken over', () => {
    const place = { itemId: 'i', round: 1 }
    const passed = [
      { clip: B, fromMs: -8_000 },
      { clip: A, fromMs: -12_000 },
    ]
    const session = { ...begun(1, B, -22_000), place, passed, outTimeMs: 25_000 }
    const { told, state } = lived([[{ type: 'taken-over', session }]])
    // What plays is among them: the next look may see the one behind it already.
    expect(lived([[{ type: 'polled', session: 1, poll: poll(26_000) }, 1_001_000]], state).told).toEqual([])
    expect(told.map(({ piece }) => [piece?.clip.videoId, piece?.beganAt])).toEqual([
      ['b', 983_000],
      ['a', 987_000],
      ['b', 997_000],
    ])
  })
})
