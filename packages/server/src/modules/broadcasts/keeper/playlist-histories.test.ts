import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Clip } from '../sequence/clips.ts'
import {
  type Effect,
  type KeeperEvent,
  type KeeperState,
  type ListEntry,
  NEW_KEEPER,
  type Poll,
  type Surroundings,
} from './keeper-state.ts'
import { nextState } from './next-state.ts'

const ITEMS = 5
const ITEM_MS = 4_000
/** Its items in order, without end. The third and the fourth are the same video. */
const entryAt = (number: number): ListEntry => ({
  clip: CLIPS[number % ITEMS] as Clip,
  place: { itemId: `i${number % ITEMS}`, round: Math.floor(number / ITEMS) },
})
const CLIPS: Clip[] = ['a', 'b', 'c', 'c', 'd'].map((name) => ({
  ...{ videoId: name, filename: `${name}.mp4`, path: `/${name}`, key: `u/${name}` },
  ...{ durationMs: ITEM_MS, bytes: 1, loop: null },
}))
const numberOf = ({ place }: Pick<ListEntry, 'place'>): number =>
  place ? place.round * ITEMS + Number(place.itemId.slice(1)) : Number.NaN

type Step = 'answer' | 'join' | 'join-in-the-moment' | 'poll' | 'skip' | 'ask-in-vain'
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<Step>('answer', 'poll') },
    { weight: 2, arbitrary: fc.constantFrom<Step>('join', 'skip') },
    { weight: 1, arbitrary: fc.constantFrom<Step>('join-in-the-moment', 'ask-in-vain') },
  ),
  { maxLength: 150, size: 'max' },
)

/** An ffmpeg with two slots, and a keeper that sees only what its polls tell. */
function createWorld() {
  const now: Surroundings = {
    ...{ nowMs: 1_000_000, steadyMs: 0, clockStepMs: 0, random: 0, looping: true, isRelay: false },
    ...{ isRecorded: true, sessionLimitMs: null, keepsOnExit: false },
  }
  const slots: [ListEntry, ListEntry] = [entryAt(0), entryAt(1)]
  let slot: 0 | 1 = 0
  let outTimeMs = 500
  let joinsNow = false
  /** What was skipped lies before this one. */
  let goesOnAt = 0
  let asked: Extract<Effect, { type: 'judge-next' }>[] = []
  const begun: ListEntry[] = [entryAt(0)]
  let state: KeeperState = { ...NEW_KEEPER, stream: { ...NEW_KEEPER.stream, at: 'starting' } as never }

  function join(): void {
    slot = slot === 0 ? 1 : 0
    outTimeMs = begun.length * ITEM_MS + 300
    begun.push(slots[slot])
  }

  function carryOut(effect: Effect): void {
    if (effect.type === 'judge-next') asked.push(effect)
    if (effect.type !== 'play-next' || !effect.next) return
    // It comes to its next slot just before that is pointed: then what was said comes behind what it found there.
    if (joinsNow) join()
    joinsNow = false
    slots[slot === 0 ? 1 : 0] = effect.next
  }

  function tell(event: KeeperEvent): void {
    const decision = nextState(state, event, now)
    state = decision.state
    for (const effect of decision.effects) carryOut(effect)
  }

  function poll(): void {
    const reads = slots[slot]
    outTimeMs += 100
    const figures = { bitrateKbps: 800, speed: 1, frames: 1, unsentBytes: 0, clipMs: ITEM_MS, saidAgoMs: 0 }
    const seen: Poll = { ...figures, verdict: 'moving', outTimeMs, reads }
    tell({ type: 'polled', session: 1, poll: seen })
  }

  function answer(next: 'found' | 'none'): void {
    const [question] = asked
    asked = asked.slice(1)
    if (!question) return
    const { place: after } = question
    const found = { ...entryAt(Math.max(goesOnAt, numberOf({ place: after }) + 1)), follows: true }
    tell({
      type: 'next-judged',
      after,
      next: next === 'none' ? null : { clip: found.clip, place: found.place as never, follows: true },
    })
  }

  return {
    begin(): void {
      const first = entryAt(0)
      const begins = { number: 1, pid: 1, birth: 'b', item: 0, fromMs: 0, onFallback: false, note: null }
      const next = { ...entryAt(1), follows: true } as never
      tell({ type: 'started', session: { ...begins, clip: first.clip, place: first.place, next } })
      poll()
    },
    take(step: Step): void {
      if (step === 'answer' || step === 'ask-in-vain') answer(step === 'answer' ? 'found' : 'none')
      if (step === 'poll') poll()
      if (step === 'skip') {
        goesOnAt = Math.max(goesOnAt, numberOf(state)) + 1
        tell({ type: 'swap-asked' })
      }
      if (step === 'join-in-the-moment') joinsNow = true
      // Two joins between two looks would take a program that stood still for as long as an item lasts.
      if (step === 'join' && isSeen()) join()
    },
    state: () => state,
    reads: () => slots[slot],
  }

  function isSeen(): boolean {
    return state.reads !== null && numberOf(state.reads) === numberOf(slots[slot])
  }
}

describe('[LIST-02] whatever happens to a list', () => {
  it('its keeper knows what ffmpeg reads after each look, and never goes back in the list', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const world = createWorld()
        world.begin()
        let furthest = 0
        for (const step of history) {
          world.take(step)
          if (step !== 'poll') continue
          const { clip, place, reads } = world.state()
          expect(reads && numberOf(reads)).toBe(numberOf(world.reads()))
          expect(clip).toBe(world.reads().clip)
          const number = numberOf({ place })
          expect(number).toBeGreaterThanOrEqual(furthest)
          // What is read again, since nobody said in time what follows, is no new item.
          expect(number).toBe(Math.max(furthest, numberOf(world.reads())))
          furthest = number
        }
      }),
      { numRuns: 500 },
    )
  })
})
