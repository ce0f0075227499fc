import {
  type BegunSession,
  type Effect,
  type KeeperEvent,
  type KeeperState,
  NEW_KEEPER,
  type Poll,
  type Surroundings,
} from '../../src/modules/broadcasts/keeper/keeper-state.ts'
import { nextState } from '../../src/modules/broadcasts/keeper/next-state.ts'
import type { Clip } from '../../src/modules/broadcasts/sequence/clips.ts'

const clipOf = (videoId: string): Clip => ({
  videoId,
  filename: `${videoId}.mp4`,
  path: `/media/${videoId}.mp4`,
  durationMs: 10_000,
  bytes: 1,
  loop: null,
})
export const OWN = clipOf('own')
export const OTHER = clipOf('other')

export const around = (more: Partial<Surroundings> = {}): Surroundings => ({
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
export const sessionOf = (more: Partial<BegunSession> = {}): BegunSession => ({
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
export const pollOf = (more: Partial<Poll> = {}): KeeperEvent => ({
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
export function after(events: readonly KeeperEvent[], from: KeeperState, now = around()) {
  let state = from
  const effects: Effect[] = []
  for (const event of events) {
    const decision = nextState(state, event, now)
    state = decision.state
    effects.push(...decision.effects)
  }
  return { state, effects, types: effects.map(({ type }) => type) }
}

export const FRESH: KeeperState = { ...NEW_KEEPER, videoId: 'own' }
export const START: KeeperEvent[] = [
  { type: 'taken-over', session: null },
  { type: 'claimed' },
  { type: 'started', session: sessionOf() },
]
export const LIVE = after([...START, pollOf()], FRESH).state
export const timelineOf = (effects: readonly Effect[]) =>
  effects
    .flatMap((effect) => (effect.type === 'save' ? effect.news : []))
    .flatMap((event) => ('kind' in event ? [event.kind] : []))
