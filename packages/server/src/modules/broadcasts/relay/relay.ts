import type { StreamNote } from '@siarin/contracts/stream-reason-texts'
import { asEncoded, type PictureLimits, type RelayPlan } from '@siarin/media/relay-plan'
import type { Secret } from '@siarin/media/secret'
import type { Log } from '../../../platform/log.ts'
import type { PlansService } from '../../plans/index.ts'
import type { OnlineRef, OnlineSources } from '../../platforms/index.ts'
import type { BroadcastProcess } from '../sender/broadcast-process.ts'
import type { StartAttempt } from '../sender/start-attempt.ts'
import type { StartedBroadcast } from '../sender/started-broadcast.ts'
import type { Clip } from '../sequence/clips.ts'
import { EncodersFullError, SourceAwayError } from '../sequence/source-errors.ts'
import type { StreamRow } from '../store/streams.repo.ts'
import type { Encoders, Wish } from './encoders.ts'
import type { PlacedLogo } from './relay-logo.ts'
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
  type RelayState,
  sourceBegun,
  wentDry,
} from './relay-state.ts'
import { createSourcePulse } from './source-pulse.ts'

interface RelayDeps {
  row: StreamRow
  ref: OnlineRef
  sources: Pick<OnlineSources, 'locate'>
  source: RelaySource
  encoders: Encoders
  log: Log
  /** What the owner's plan allows. */
  limits: () => Promise<PictureLimits>
  plans: Pick<PlansService, 'isOnTrial'>
  findClip: (videoId: string) => Promise<Clip>
  releaseClip: (clip: Clip) => void
  /** What is to stand on the picture; null: nothing is, or it cannot be had. */
  findLogo: () => Promise<PlacedLogo | null>
  sendSource: (
    attempt: StartAttempt,
    url: Secret,
    plan: RelayPlan,
    logo: PlacedLogo | null,
  ) => Promise<BroadcastProcess>
  /** The video that stands in, from its start. */
  sendLoop: (attempt: StartAttempt, clip: Clip) => Promise<BroadcastProcess>
  /** A clock that nobody sets. */
  now?: () => number
}

export interface Relay {
  /** Sends the source or, while it is away, the video that stands in for it. */
  start(attempt: StartAttempt): Promise<StartedBroadcast>
  /** The source added nothing for so long that its process was ended: what it offers now is old. */
  wentDry(): void
  /** The process that sent the source ended by itself, and not for the target's sake. */
  brokeOff(): void
  /** Whether the source adds something, as far as is known by now: for a process that sends it and says nothing. */
  isFed(): boolean
  /** Whether the source could take over from the video that stands in. */
  isBack(): Promise<boolean>
  /**
   * Whether the source may not be sent on as it is. Where it is copied, two looks in a row found its picture larger or faster than the plan,
   * and an encoder is free, which it then has: that takes some seconds, and longer where others are looked at. Where it is re-encoded, the
   * encoder is to go to an owner who has none.
   */
  mustChange(): Promise<boolean>
}

/** Whether a stream of this note has an encoder. */
export const takesEncoder = (note: string | null): boolean => note === 'source-encoded' || note === 'logo-encoded'

/** An online source for the keeper, which knows nothing of its ways. */
export const onlineClip = ({ source }: StreamRow): Clip => ({
  videoId: '',
  filename: source,
  path: '',
  durationMs: 0,
  bytes: 0,
  loop: null,
})

export const isOnline = (clip: Pick<Clip, 'videoId'> | null): boolean => clip?.videoId === ''

/** What a relay's parts work with. */
interface RelayContext extends RelayDeps {
  /** A clock that nobody sets. */
  now: () => number
  memory: { state: RelayState }
}

export function createRelay(deps: RelayDeps): Relay {
  const now = deps.now ?? (() => performance.now())
  // The note of a stream that an earlier run of the program left says whether its picture is re-encoded: that never grows.
  const memory = { state: newRelay({ copies: !takesEncoder(deps.row.note) }) }
  const context: RelayContext = { ...deps, now, memory }
  const { row } = deps
  const pulse = createSourcePulse({ look: () => markOf(context), now })
  return {
    isFed: () => hasEnd(context) || pulse.isFed(),
    async start(attempt) {
      try {
        return await startSource(context, attempt)
      } catch (error) {
        // A later start of the stream may have its encoder.
        attempt.assertWanted()
        if (!(error instanceof EncodersFullError)) deps.encoders.keep(row.id)
        if (!row.fallback_video_id) throw error
        // Whatever keeps us from the source, be it a fault of our own: on air with the stand-in is better than off air.
        const isUnexpected = !(error instanceof SourceAwayError || error instanceof EncodersFullError)
        if (isUnexpected) deps.log.error({ err: error, streamId: row.id }, 'an online source could not be sent')
        return startFallback(context, attempt, row.fallback_video_id)
      }
    },
    wentDry() {
      memory.state = wentDry(memory.state)
    },
    brokeOff() {
      memory.state = brokeOff(memory.state, { nowMs: now(), hasFallback: row.fallback_video_id !== null })
    },
    mustChange: async () => mustGiveWay(context) || outgrew(context),
    async isBack() {
      try {
        const seen = await inspectSource(context)
        memory.state = { ...memory.state, ready: seen }
        return seen.plan.picture.kind === 'copy' || deps.encoders.hasRoomFor(await wishOf(context))
      } catch (error) {
        if (error instanceof SourceAwayError) return false
        throw error
      }
    },
  }
}

/** Where nobody can tell, it counts as one who pays. */
const wishOf = async ({ row: { id, user_id }, plans }: RelayContext): Promise<Wish> => ({
  ...{ streamId: id, owner: user_id },
  isOnTrial: await plans.isOnTrial(user_id).catch(() => false),
})

/** It has an end, and is sent again from its start: so it was when its owner chose it. */
const hasEnd = ({ row }: RelayContext): boolean => row.source_finite === 1

async function inspectSource(context: RelayContext): Promise<ReadySource> {
  const { row, source, memory, now } = context
  const located = await context.sources.locate(row.user_id, context.ref)
  if (located.state !== 'live') throw new SourceAwayError(`the source is ${located.state}`)
  if (isResting(memory.state, now())) throw new SourceAwayError('the source breaks off again and again')
  const limits = await context.limits()
  const status = await source.inspect(located.url, limits.maxHeight)
  if (!hasEnd(context)) {
    const judged = judgeStatus(memory.state, status)
    memory.state = judged.state
    if (judged.away) throw new SourceAwayError(judged.away)
  }
  const address = status.url.reveal()
  const known = knownPlan(memory.state, address, now())
  const plan = known ?? (await source.plan(status.url, limits))
  if (!known) memory.state = { ...memory.state, plan: { of: address, atMs: now(), is: plan } }
  return { status, plan, atMs: now() }
}

async function startSource(context: RelayContext, attempt: StartAttempt): Promise<StartedBroadcast> {
  const { row, encoders, memory, now } = context
  memory.state = { ...memory.state, sessions: memory.state.sessions + 1 }
  const ready = freshlySeen(memory.state, now()) ?? (await inspectSource(context))
  memory.state = chosen(memory.state, ready)
  const [logo, wish] = await Promise.all([context.findLogo(), wishOf(context)])
  // The encoder is the stream's, and may be at work for a later start of it.
  attempt.assertWanted()
  const { plan, note } = withEncoder(context, wish, ready.plan, logo)
  const isEncoded = takesEncoder(note)
  if (!isEncoded) encoders.release(row.id)
  const process = await context.sendSource(attempt, ready.status.url, plan, isEncoded ? logo : null)
  memory.state = sourceBegun(memory.state, { copies: !isEncoded, nowMs: now() })
  return { process, clip: onlineClip(row), item: 0, place: null, fromMs: 0, onFallback: false, note }
}

/** A source that nobody takes as it is waits for an encoder. One that only lacks its logo goes on air without it. */
function withEncoder(
  { row, encoders }: RelayContext,
  wish: Wish,
  plan: RelayPlan,
  logo: PlacedLogo | null,
): { readonly plan: RelayPlan; readonly note: StreamNote | null } {
  if (plan.picture.kind === 'encode') {
    if (!encoders.acquire(wish)) throw new EncodersFullError('all encoders are taken')
    return { plan, note: 'source-encoded' }
  }
  if (logo && encoders.acquire({ ...wish, canDoWithout: true })) return { plan: asEncoded(plan), note: 'logo-encoded' }
  return { plan, note: row.recipe === null ? null : 'logo-left-out' }
}

async function startFallback(context: RelayContext, attempt: StartAttempt, videoId: string): Promise<StartedBroadcast> {
  const { memory } = context
  memory.state = { ...memory.state, sessions: memory.state.sessions + 1 }
  const clip = await context.findClip(videoId)
  const process = await context.sendLoop(attempt, clip).catch((error) => {
    context.releaseClip(clip)
    throw error
  })
  return { process, clip, item: 0, place: null, fromMs: 0, onFallback: true, note: null }
}

async function markOf({ row, ref, source, sources, limits }: RelayContext): Promise<string> {
  const located = await sources.locate(row.user_id, ref)
  if (located.state !== 'live') throw new SourceAwayError(`the source is ${located.state}`)
  return (await source.inspect(located.url, (await limits()).maxHeight)).mark
}

async function probeGrowth(context: RelayContext): Promise<KeptPlan | null> {
  const { row, source } = context
  const located = await context.sources.locate(row.user_id, context.ref)
  if (located.state !== 'live') return null
  const limits = await context.limits()
  const { url } = await source.inspect(located.url, limits.maxHeight)
  const is = await source.planIfGrown(url, limits)
  return is && { of: url.reveal(), atMs: context.now(), is }
}

function mustGiveWay({ row, encoders, log }: RelayContext): boolean {
  const isToGo = encoders.isToGo(row.id)
  if (isToGo) log.info({ streamId: row.id }, 'its encoder goes to an owner who has none')
  return isToGo
}

async function outgrew(context: RelayContext): Promise<boolean> {
  const { row, source, encoders, memory } = context
  // One with an end is probed from its start, whatever it sends by now.
  if (!memory.state.copies || hasEnd(context)) return false
  const { sessions: of } = memory.state
  const grown = await source.inTurn(row.user_id, () => probeGrowth(context)).catch(() => null)
  const { isConfirmed, isNews, state } = judgeGrowth(memory.state, { isGrown: grown !== null, of })
  memory.state = state
  if (!grown || !isConfirmed) return false
  if (!encoders.acquire({ ...(await wishOf(context)), canDoWithout: true })) {
    // Past the plan is better than off air.
    if (isNews) context.log.warn({ streamId: row.id }, 'past its plan, and no encoder is free')
    return false
  }
  memory.state = { ...memory.state, plan: grown, ready: null }
  return true
}
