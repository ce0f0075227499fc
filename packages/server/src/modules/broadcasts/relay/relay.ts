import type { StreamNote } from '@siarin/contracts/stream-reason-texts'
import type { PictureLimits, RelayPlan } from '@siarin/media/relay-plan'
import type { Secret } from '@siarin/media/secret'
import type { Log } from '../../../platform/log.ts'
import type { OnlineRef, OnlineSources } from '../../platforms/index.ts'
import type { BroadcastProcess } from '../keeper/broadcast-process.ts'
import type { StartedBroadcast } from '../keeper/keeper-deps.ts'
import type { Clip } from '../sequence/clips.ts'
import type { StreamRow } from '../store/streams.repo.ts'
import type { Encoders } from './encoders.ts'
import type { RelaySource } from './relay-source.ts'
import {
  brokeOff,
  chosen,
  freshlySeen,
  isResting,
  judgeGrowth,
  judgeStatus,
  type KeptPlan,
  knownPlan,
  newRelay,
  type ReadySource,
  sourceBegun,
  wentDry,
} from './relay-state.ts'
import { EncodersFullError, SourceAwayError } from './source-errors.ts'

interface RelayDeps {
  row: StreamRow
  ref: OnlineRef
  sources: Pick<OnlineSources, 'locate'>
  source: RelaySource
  encoders: Encoders
  log: Log
  /** What the owner's plan allows. */
  limits: () => Promise<PictureLimits>
  findClip: (videoId: string) => Promise<Clip>
  sendSource: (url: Secret, plan: RelayPlan) => Promise<BroadcastProcess>
  /** The video that stands in, from its start. */
  sendLoop: (clip: Clip) => Promise<BroadcastProcess>
  /** Of a clock that nobody sets. */
  now?: () => number
}

export interface Relay {
  /** Sends the source or, while it is away, the video that stands in for it. */
  start(): Promise<StartedBroadcast>
  /** The source added nothing for so long that its process was ended: what it offers now is old. */
  wentDry(): void
  /** The process that sent the source ended by itself, and not for the target's sake. */
  brokeOff(): void
  /** Whether the source could take over from the video that stands in. */
  isBack(): Promise<boolean>
  /**
   * Whether the source is copied and may not be any more: two looks in a row found its picture larger or faster than the plan, and an
   * encoder is free, which it then has. Takes some seconds, and longer where others are looked at.
   */
  outgrew(): Promise<boolean>
}

const ENCODED: StreamNote = 'source-encoded'

/** An online source for the keeper, which knows nothing of its ways. */
export const onlineClip = ({ source }: StreamRow): Clip => ({
  videoId: '',
  filename: source,
  path: '',
  durationMs: 0,
  bytes: 0,
})

export function createRelay(deps: RelayDeps): Relay {
  const { row, ref, source, encoders } = deps
  const now = deps.now ?? (() => performance.now())
  /** It has an end, and is sent again from its start: so it was when its owner chose it. */
  const finite = row.source_finite === 1
  // What an earlier run of the program left has a note where its picture is made anew, which never grows.
  let state = newRelay({ copies: row.note === null })

  async function inspectSource(): Promise<ReadySource> {
    const located = await deps.sources.locate(row.user_id, ref)
    if (located.state !== 'live') throw new SourceAwayError(`the source is ${located.state}`)
    if (isResting(state, now())) throw new SourceAwayError('the source breaks off again and again')
    const limits = await deps.limits()
    const status = await source.inspect(located.url, limits.maxHeight)
    if (!finite) {
      const judged = judgeStatus(state, status)
      state = judged.state
      if (judged.away) throw new SourceAwayError(judged.away)
    }
    const address = status.url.reveal()
    const known = knownPlan(state, address, now())
    const plan = known ?? (await source.plan(status.url, limits))
    if (!known) state = { ...state, plan: { of: address, atMs: now(), is: plan } }
    return { status, plan, atMs: now() }
  }

  async function startSource(): Promise<StartedBroadcast> {
    state = { ...state, sessions: state.sessions + 1 }
    const ready = freshlySeen(state, now()) ?? (await inspectSource())
    state = chosen(state, ready)
    const copies = ready.plan.picture.kind !== 'encode'
    if (!copies && !encoders.acquire(row.id)) throw new EncodersFullError('all encoders are taken')
    if (copies) encoders.release(row.id)
    const process = await deps.sendSource(ready.status.url, ready.plan)
    state = sourceBegun(state, { copies, nowMs: now() })
    return {
      process,
      clip: onlineClip(row),
      item: 0,
      fromMs: 0,
      onFallback: false,
      note: copies ? null : ENCODED,
    }
  }

  async function startFallback(videoId: string): Promise<StartedBroadcast> {
    state = { ...state, sessions: state.sessions + 1 }
    encoders.release(row.id)
    const clip = await deps.findClip(videoId)
    return { process: await deps.sendLoop(clip), clip, item: 0, fromMs: 0, onFallback: true, note: null }
  }

  async function probeGrowth(): Promise<KeptPlan | null> {
    const located = await deps.sources.locate(row.user_id, ref)
    if (located.state !== 'live') return null
    const limits = await deps.limits()
    const { url } = await source.inspect(located.url, limits.maxHeight)
    const is = await source.planIfGrown(url, limits)
    return is && { of: url.reveal(), atMs: now(), is }
  }

  return {
    async start() {
      try {
        return await startSource()
      } catch (error) {
        if (!row.fallback_video_id) throw error
        // Whatever keeps us from the source, be it a fault of our own: on air with the stand-in is better than off air.
        const isUnexpected = !(error instanceof SourceAwayError || error instanceof EncodersFullError)
        if (isUnexpected) deps.log.error({ err: error, streamId: row.id }, 'an online source could not be sent')
        return startFallback(row.fallback_video_id)
      }
    },
    wentDry() {
      state = wentDry(state)
    },
    brokeOff() {
      state = brokeOff(state, { nowMs: now(), hasFallback: row.fallback_video_id !== null })
    },
    async outgrew() {
      // One with an end is looked at from its start, whatever it sends by now.
      if (!state.copies || finite) return false
      const { sessions: of } = state
      const grown = await source.inTurn(probeGrowth).catch(() => null)
      const { isConfirmed, isNews, ...judged } = judgeGrowth(state, { isGrown: grown !== null, of })
      state = judged.state
      if (!grown || !isConfirmed) return false
      if (!encoders.acquire(row.id)) {
        // Past the plan is better than off air.
        if (isNews) deps.log.warn({ streamId: row.id }, 'past its plan, and no encoder is free')
        return false
      }
      state = { ...state, plan: grown, ready: null }
      return true
    },
    async isBack() {
      try {
        const seen = await inspectSource()
        state = { ...state, ready: seen }
        return seen.plan.picture.kind === 'copy' || encoders.hasRoomFor(row.id)
      } catch (error) {
        if (error instanceof SourceAwayError) return false
        throw error
      }
    },
  }
}
