import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { around, FRESH, pollOf, sessionOf } from '../../../../test/support/keeper-events.ts'
import { type ClipSequence, clipSequenceOf } from '../sequence/clip-sequence.ts'
import type { Clip } from '../sequence/clips.ts'
import type { Effect, KeeperEvent, KeeperState } from './keeper-state.ts'
import { nextState } from './next-state.ts'

const PASS_MS = 10_000
/** The first letter says which of them are alike. */
const VIDEOS = ['a1', 'a2', 'a3', 'b1', 'c1'] as const
type Video = (typeof VIDEOS)[number]
const areAlike = (one: string, other: string): boolean => one[0] === other[0]
const clipOf = (videoId: string): Clip => ({
  ...{ videoId, filename: `${videoId}.mp4`, path: `/${videoId}`, durationMs: PASS_MS, bytes: 1, loop: null },
})

type Step = 'look' | 'answer' | 'exit' | 'begin' | 'started' | 'pass' | 'say-again' | { readonly swapTo: Video }
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<Step>('look', 'answer', 'begin', 'started') },
    { weight: 2, arbitrary: fc.constantFrom<Step>('exit', 'pass', 'say-again') },
    { weight: 2, arbitrary: fc.record({ swapTo: fc.constantFrom(...VIDEOS) }) },
  ),
  { maxLength: 60, size: 'max' },
)

/** A row, an ffmpeg with its slots, and a keeper that hears of both only after a while. */
function createWorld() {
  let row: { video_id: string; next_video_id: string | null } = { video_id: 'a1', next_video_id: null }
  const sequence = clipSequenceOf({
    row: { position_item_id: null, looping: 1, recipe: null } as never,
    repo: { byId: async () => ({ ...row, recipe: null }) },
    clips: {
      find: async (videoId: string) => clipOf(videoId),
      keyframeBefore: async () => 0,
      areAlike: async (one: Clip, other: Clip) => areAlike(one.videoId, other.videoId),
    },
  } as never)
  let state: KeeperState = { ...FRESH, videoId: 'a1' }
  let asked: Extract<Effect, { type: 'judge-swap' }> | null = null
  let found: { after: Clip | null; wanted: Awaited<ReturnType<ClipSequence['change']>> } | null = null
  let starting: { readonly number: number; clip: Clip | null } | null = null
  let running: { readonly number: number; clip: Clip; next: Clip; passes: number; readonly sent: string[] } | null =
    null
  const sessions: string[][] = []

  function tell(event: KeeperEvent): void {
    const decision = nextState(state, event, around())
    state = decision.state
    for (const effect of decision.effects) carryOut(effect)
  }

  function carryOut(effect: Effect): void {
    if (effect.type === 'save' && effect.swappedTo) {
      const { videoId } = effect.swappedTo
      row = { video_id: videoId, next_video_id: row.next_video_id === videoId ? null : row.next_video_id }
    }
    if (effect.type === 'judge-swap') asked = effect
    if (effect.type === 'start') starting = { number: effect.session, clip: null }
    if (effect.type === 'wait') tell({ type: 'wait-over' })
    if (effect.type === 'play-next' && effect.next && running) running.next = effect.next.clip
    if (effect.type === 'stop') exit()
  }

  function exit(): void {
    if (!running) return
    const { number } = running
    running = null
    tell({ type: 'exited', session: number, reason: 'target-closed' })
  }

  function started(): void {
    if (!starting?.clip) return
    const { number, clip } = starting
    const sent = [clip.videoId]
    sessions.push(sent)
    running = { number, clip, next: clip, passes: 0, sent }
    starting = null
    tell({ type: 'started', session: sessionOf({ number, clip }) })
    poll(500)
  }

  function pass(): void {
    poll(6_000)
    if (!running) return
    running.clip = running.next
    running.passes++
    running.sent.push(running.clip.videoId)
    poll(300)
  }

  function poll(ms: number): void {
    if (!running) return
    const { number, clip, passes } = running
    const poll = pollOf({ outTimeMs: passes * PASS_MS + ms, reads: { clip, place: null } })
    tell({ ...poll, session: number } as KeeperEvent)
  }

  async function take(step: Step): Promise<void> {
    if (typeof step === 'object') {
      row = { ...row, next_video_id: step.swapTo }
      tell({ type: 'swap-asked' })
    }
    if (step === 'say-again' && row.next_video_id) tell({ type: 'swap-asked' })
    if (step === 'look' && asked) {
      const { clip: after, nextClip } = asked
      asked = null
      found = { after, wanted: await sequence.change(after, nextClip) }
    }
    if (step === 'answer' && found) {
      const answer = found
      found = null
      tell({ type: 'swap-judged', ...answer })
    }
    if (step === 'begin' && starting && !starting.clip)
      starting.clip = (await sequence.begin({ item: 0, ms: 0, place: null })).clip
    if (step === 'started') started()
    if (step === 'exit') exit()
    if (step === 'pass') pass()
  }

  return {
    begin(): void {
      tell({ type: 'taken-over', session: null })
      tell({ type: 'claimed' })
    },
    take,
    row: () => row,
    plays: () => running?.clip.videoId,
    sessions,
  }
}

describe('whatever is asked for, and whenever its ffmpeg begins again', () => {
  it('a loop comes to what was asked for last, and sends nothing unlike in one session', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(...VIDEOS), async (history, last) => {
        const world = createWorld()
        world.begin()
        for (const step of [...history, { swapTo: last }]) await world.take(step)
        for (let turn = 0; turn < 8; turn++)
          for (const step of ['look', 'answer', 'begin', 'started', 'pass', 'say-again'] as const)
            await world.take(step)
        expect([world.plays(), world.row()]).toEqual([last, { video_id: last, next_video_id: null }])
        for (const sent of world.sessions) for (const video of sent) expect(areAlike(video, sent[0] ?? '')).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
