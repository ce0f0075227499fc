import type { Clip } from '../sequence/clips.ts'
import type { Claim, PieceEvent, StreamChange } from '../store/streams.repo.ts'
import type { KeeperDeps } from './keeper-deps.ts'
import type { Effect, KeeperEvent, KeeperState } from './keeper-state.ts'
import { outFromMs, type PieceNews } from './sent-pieces.ts'
import type { SessionHandle } from './session.ts'
import { shownReason } from './shown-reason.ts'
import type { StateSaver } from './state-saver.ts'

interface EffectsDeps extends KeeperDeps {
  claim: Claim
  /** As it is now. */
  state: () => KeeperState
  session: SessionHandle
  saver: StateSaver
  post: (event: KeeperEvent) => void
  /** The keeper is to go and to leave its ffmpeg on air. */
  leave: () => void
}

/** Carries decisions out. Only writing is waited for: whatever else takes time answers with an event. */
export function createEffects(deps: EffectsDeps) {
  const { row, session, post, relay, log } = deps
  const streamId = row.id
  const waits = createWaits(post)

  async function save({ news, swappedTo, pieces = [] }: Extract<Effect, { type: 'save' }>): Promise<void> {
    const state = deps.state()
    deps.samples.drop(deps.claim)
    const isLoop = row.looping === 1 && state.place === null
    const told = [...news, ...pieces.map((piece) => pieceEvent(piece, isLoop, deps.durationOf))]
    await deps.saver.save(changeOf(state, deps.clock.now(), swappedTo), told)
    const { at: phase } = state.stream
    const reason = state.stream.at === 'waiting' ? state.stream.reason : null
    deps.events.emit('stream.changed', { streamId, userId: row.user_id, phase, reason })
  }

  /** What cannot be found out now is asked for again by who wants it. */
  function ask<T>(question: Promise<T>, answer: (found: T | null) => KeeperEvent): void {
    question
      .catch((error) => {
        log.warn({ err: error, streamId }, 'a question about a stream was not answered')
        return null
      })
      .then((found) => post(answer(found)))
  }

  function checkSource({ check, session: number }: Extract<Effect, { type: 'check-source' }>): void {
    if (!relay) return
    relay[check === 'return' ? 'isBack' : 'mustChange']()
      // A source that cannot be looked at is no reason to begin anew.
      .catch(() => false)
      .then((needsNewSession) => post({ type: 'source-checked', session: number, needsNewSession }))
  }

  async function carryOut(effect: Effect): Promise<void> {
    switch (effect.type) {
      case 'save':
        return save(effect)
      case 'claim':
        return deps.signal.aborted ? undefined : post({ type: 'claimed' })
      case 'start':
        return session.start(effect.session, effect.position)
      case 'give-up-start':
        return session.giveUpStart()
      case 'stop':
        return session.stop()
      case 'kill':
        return session.kill()
      case 'wait':
        return waits.wait(effect.ms)
      case 'judge-lag':
        return post({ type: 'lag-judged', session: effect.session, endsIt: deps.mayEndForLag() })
      case 'judge-end':
        return ask(deps.endCause(), (cause) => ({ type: 'end-judged', cause }))
      case 'judge-swap': {
        const { clip: after, nextClip } = effect
        return ask(deps.changeOfClip(after, nextClip), (wanted) => ({ type: 'swap-judged', after, wanted }))
      }
      case 'judge-next': {
        const { place: after, clip, told = null } = effect
        if (!deps.following) return
        return ask(deps.following(after, clip, told), (next) => ({ type: 'next-judged', after, next }))
      }
      case 'play-next':
        return session.playNext(effect.next)
      case 'await-pass':
        return waits.awaitPass(effect)
      case 'check-source':
        return checkSource(effect)
      case 'tell-relay':
        return effect.what === 'went-dry' ? relay?.wentDry() : relay?.brokeOff()
      case 'write-figures': {
        const { sample, position, sentMs } = deps.state()
        return deps.samples.put({ claim: deps.claim, sample, position, sentMs: sentMs ?? 0 }, deps.saver.fence)
      }
      case 'leave':
        return deps.leave()
    }
  }

  return { carryOut, stop: waits.stop }
}

/** Each takes the place of the one before. */
function createWaits(post: (event: KeeperEvent) => void) {
  let waitTimer: NodeJS.Timeout | undefined
  let passTimer: NodeJS.Timeout | undefined
  return {
    wait(ms: number): void {
      clearTimeout(waitTimer)
      waitTimer = setTimeout(() => post({ type: 'wait-over' }), ms)
    },
    /** Asked for again by each look at its progress, which knows better when that is. */
    awaitPass({ session, ms }: Extract<Effect, { type: 'await-pass' }>): void {
      clearTimeout(passTimer)
      passTimer = setTimeout(() => post({ type: 'pass-over', session }), ms)
    },
    stop(): void {
      clearTimeout(waitTimer)
      clearTimeout(passTimer)
    },
  }
}

/** What of a keeper's state stands in the row. */
function changeOf(state: KeeperState, nowMs: number, swappedTo?: Clip): StreamChange {
  const { stream, session } = state
  return {
    state: stream,
    swappedTo,
    reason: shownReason(state),
    restarts: state.restarts,
    onAirMs: state.onAirMs,
    sample: state.sample,
    position: state.position,
    sentMs: state.sentMs ?? 0,
    place: state.place,
    ...(state.clip && { recipe: state.clip.recipe ?? null }),
    onFallback: state.onFallback,
    notice: state.note,
    liveSince: stream.at === 'live' ? stream.sinceMs : null,
    process: session && { pid: session.pid, birth: session.birth },
    ...(stream.at === 'ended' ? { endedAt: nowMs } : {}),
  }
}

/** What stands in the row of a piece. Its file may be replaced later: what is needed to read it is written down now. */
function pieceEvent(
  { at, piece, endOutMs }: PieceNews,
  looping: boolean,
  durationOf: (clip: Clip) => number,
): PieceEvent {
  if (!piece) return { at, piece: null, endOutMs }
  const { clip, session, fromMs, beganAt, reason } = piece
  const list = clip.loop?.list ?? {
    seconds: durationOf(clip) / 1000,
    startSeconds: 0,
    outpoint: null,
    bodySeconds: null,
  }
  const { videoId, filename, key = '', tailKey = null } = clip
  return {
    at,
    endOutMs,
    piece: {
      ...{ at: beganAt, session, reason, videoId, filename, key, tailKey, looping },
      ...{ list: JSON.stringify(list), fromMs: Math.max(0, fromMs), outFromMs: outFromMs(fromMs) },
    },
  }
}
