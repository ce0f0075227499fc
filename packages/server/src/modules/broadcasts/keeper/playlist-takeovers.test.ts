import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { createSlotReader } from '../../../../test/support/slot-reader.ts'
import { type Course, nextPlace, type Place } from '../../playlists/next-item.ts'
import { createAdoption } from '../sequence/adopted-list.ts'
import type { Clip } from '../sequence/clips.ts'
import { linksIn } from '../sequence/slot-links.ts'
import { createSlots } from '../sequence/slots.ts'
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

const ITEM_MS = 4_000
const NOW: Surroundings = {
  ...{ nowMs: 1_000_000, steadyMs: 0, clockStepMs: 0, random: 0, looping: true, isRelay: false },
  ...{ isRecorded: true, sessionLimitMs: null, keepsOnExit: false },
}
const NO_SESSION = { number: 1, pid: 1, birth: 'b', item: 0, onFallback: false, note: null } as const

const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'siarin-takeovers-'))
afterAll(() => rmSync(directory, { recursive: true }))
const CLIPS: readonly Clip[] = ['a', 'b', 'c', 'd', 'e'].map((name) => {
  const path = join(directory, name)
  writeFileSync(path, name)
  const list = { seconds: ITEM_MS / 1000, startSeconds: 0, outpoint: null, bodySeconds: null }
  return {
    ...{ videoId: name, filename: `${name}.mp4`, path, key: `u/${name}`, durationMs: ITEM_MS, bytes: 1 },
    ...{ recipe: null, loop: { list, tailPath: null, isWhole: true } },
  }
})
/** The last two items of a list are the same video. */
const clipOf = (number: number, items: number): Clip => CLIPS[Math.min(number, Math.max(1, items - 2))] as Clip

type Step =
  | 'answer'
  | 'poll'
  | 'join'
  | 'skip'
  | 'reorder'
  | { readonly awayFor: number }
  | { readonly olderVersionFor: number }
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<Step>('answer', 'poll', 'join') },
    { weight: 2, arbitrary: fc.constantFrom<Step>('skip', 'reorder') },
    { weight: 2, arbitrary: fc.record({ awayFor: fc.nat(4) }) },
    { weight: 1, arbitrary: fc.record({ olderVersionFor: fc.nat(4) }) },
  ),
  { maxLength: 30, size: 'max' },
)

/** A keeper, its slots and what it finds out of an earlier run are the real ones; ffmpeg and the database are not. */
function createWorld(items: number) {
  const runs = mkdtempSync(join(directory, 'run-'))
  const reader = createSlotReader(runs)
  let ids = Array.from({ length: items }, (_, number) => `i${number}`)
  let skips: readonly Place[] = []
  const clipAt = ({ itemId }: Place): Clip => clipOf(Number(itemId.slice(1)), items)
  const course = (): Course => ({
    ...{ items: ids.map((id, position) => ({ id, position })), removed: [], looping: true, skips },
    ordering: { shuffle: false, seed: '', startItemId: null },
  })
  const entryAt = (place: Place) => ({ clip: clipAt(place), place })
  const behind = (place: Place) => entryAt(nextPlace(place, course()) as Place)

  let slots = createSlots(runs)
  let state: KeeperState = { ...NEW_KEEPER, stream: { ...NEW_KEEPER.stream, at: 'starting' } as never }
  let asked: Extract<Effect, { type: 'judge-next' }>[] = []
  let joins = 0
  let plays = ''

  function goOn(): void {
    plays = reader.goOn() ?? ''
    joins++
  }

  async function tell(event: KeeperEvent): Promise<void> {
    const decision = nextState(state, event, NOW)
    state = decision.state
    for (const effect of decision.effects) {
      if (effect.type === 'judge-next') asked.push(effect)
      if (effect.type === 'play-next') await slots.pointNext(effect.next)
    }
  }

  async function poll(): Promise<void> {
    const figures = { bitrateKbps: 800, speed: 1, frames: 1, unsentBytes: 0, clipMs: ITEM_MS, saidAgoMs: 0 }
    const outTimeMs = (joins - 1) * ITEM_MS + 500
    const seen: Poll = { ...figures, verdict: 'moving', outTimeMs, reads: slots.reading() }
    await tell({ type: 'polled', session: 1, poll: seen })
  }

  async function answer(): Promise<void> {
    const [question] = asked
    asked = asked.slice(1)
    if (!question) return
    const next = behind(question.place)
    await tell({ type: 'next-judged', after: question.place, next: { ...next, follows: true } })
  }

  /** Another run of the program finds what the one before left. */
  async function takeOver(): Promise<void> {
    slots = createSlots(runs, 'by-earlier-run')
    slots.follow(reader.isOpen)
    const { stream, place, position, videoId } = state
    asked = []
    const left = { outTimeMs: (joins - 1) * ITEM_MS + 500, fromMs: position.fromMs, place: place as Place }
    const found = await adoption({ ...left, reads: slots.reading(), told: slots.told() })
    state = { ...NEW_KEEPER, stream, place, position, videoId }
    await tell({ type: 'taken-over', session: { ...NO_SESSION, ...found } as BegunSession })
  }
  const adoption = createAdoption({ clips: { durationOf: () => ITEM_MS, release: () => {} } as never }, {
    read: async () => ({ now: { position_recipe: null } }),
    clipOf: async (videoId: string) => CLIPS.find((clip) => clip.videoId === videoId),
    clipAt: async (place: Place) => clipAt(place),
    playableAfter: async (place: Place) => ({ next: behind(place), passed: [] }),
  } as never)

  return {
    async begin(): Promise<void> {
      const first = entryAt({ itemId: 'i0', round: 0 })
      const next = behind(first.place)
      await slots.write(first, { fromSeconds: 0, clipSeconds: 4, meanSeconds: 4, next })
      slots.follow(reader.isOpen)
      goOn()
      const session = { ...NO_SESSION, ...first, fromMs: 0, next: { ...next, follows: true } }
      await tell({ type: 'started', session })
      await poll()
    },
    async take(step: Step): Promise<void> {
      if (step === 'answer') return answer()
      if (step === 'poll') return poll()
      if (step === 'join') return goOn()
      if (step === 'reorder') ids = [...ids.slice(1).reverse(), ids[0] as string]
      if (step === 'skip') skips = [...skips, nextPlace(state.place as Place, course()) as Place].slice(-3)
      if (typeof step === 'string') return tell({ type: 'swap-asked' })
      if ('olderVersionFor' in step) {
        // It points the links, one after the other, and knows of no notes.
        const links = linksIn(runs)
        for (let passes = 0; passes < step.olderVersionFor; passes++) {
          const place = nextPlace(state.place as Place, course()) as Place
          links.point(joins % 2 === 1 ? 1 : 0, clipAt(place).path)
          goOn()
          state = { ...state, place, position: { ...state.position, fromMs: -(joins - 1) * ITEM_MS } }
        }
      } else for (let passes = 0; passes < step.awayFor; passes++) goOn()
      await takeOver()
    },
    plays: () => plays,
    close: () => rmSync(runs, { recursive: true }),
  }
}

describe('[LIST-03] whatever ffmpeg plays while no program is there', () => {
  it('its list goes on to every item once a program is back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 5 }), steps, async (items, history) => {
        const world = createWorld(items)
        await world.begin()
        for (const step of history) await world.take(step)
        // From here on, the program is there and says in time what follows.
        const played: string[] = []
        for (let joins = 0; joins < 4 * items; joins++) {
          for (const step of ['poll', 'answer', 'answer', 'answer', 'join'] as const) await world.take(step)
          played.push(world.plays())
        }
        world.close()
        const all = Array.from({ length: items }, (_, number) => clipOf(number, items).videoId)
        expect([...new Set(played.slice(-2 * items))].sort()).toEqual([...new Set(all)].sort())
      }),
      { numRuns: 100 },
    )
  })
})
