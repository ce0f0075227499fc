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
import type { RelaySource, SourceLook } from './relay-source.ts'
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

interface Ready {
  readonly look: SourceLook
  readonly plan: RelayPlan
  readonly at: number
}

interface KeptPlan {
  /** The address that was probed. */
  readonly of: string
  readonly at: number
  readonly is: RelayPlan
}

/** A source that was just seen needs no second look. */
const JUST_SEEN_MS = 10_000
/** What a source holds seldom changes; asking takes seconds. */
const PLAN_KEPT_MS = 600_000
/** One that breaks off at once again and again is left alone for a while, and the stand-in is on air. */
const QUICK_END_MS = 10_000
const QUICK_ENDS_BEFORE_REST = 3
const REST_MS = 30_000
const GROWN_LOOKS_NEEDED = 2
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
  let ready: Ready | null = null
  /** It has an end, and is sent again from its start: so it was when its owner chose it. */
  const finite = row.source_finite === 1
  let plan: KeptPlan | null = null
  /** What an earlier run of the program left has a note where its picture is made anew, which never grows. */
  let copies = row.note === null
  let begunAt = 0
  let quickEnds = 0
  let restsUntil = 0
  /** What it offered when nothing came any more, or when it was last begun. */
  let staleMark: string | null = null
  let isDry = false
  /** How many looks in a row found it past the plan. One may meet an advertisement, or measure wrongly. */
  let grownLooks = 0
  let session = 0

  async function lookAtSource(): Promise<Ready> {
    const located = await deps.sources.locate(row.user_id, ref)
    if (located.state !== 'live') throw new SourceAwayError(`the source is ${located.state}`)
    if (performance.now() < restsUntil) throw new SourceAwayError('the source breaks off again and again')
    const limits = await deps.limits()
    const look = await source.look(located.url, limits.maxHeight)
    if (!finite) {
      if (look.ended) throw new SourceAwayError('the source has ended')
      if (isDry) staleMark = look.mark
      isDry = false
      if (look.mark === staleMark) throw new SourceAwayError('the source adds nothing')
    }
    const of = look.url.reveal()
    if (plan?.of !== of || performance.now() - plan.at > PLAN_KEPT_MS) {
      plan = { of, at: performance.now(), is: await source.plan(look.url, limits) }
    }
    return { look, plan: plan.is, at: performance.now() }
  }

  async function startSource(): Promise<StartedBroadcast> {
    session++
    const isFresh =
      ready !== null && !isDry && performance.now() - ready.at < JUST_SEEN_MS && ready.look.mark !== staleMark
    const now = isFresh && ready ? ready : await lookAtSource()
    ready = now
    staleMark = now.look.mark
    const encodes = now.plan.picture.kind === 'encode'
    if (encodes && !encoders.take(row.id)) throw new EncodersFullError('all encoders are taken')
    if (!encodes) encoders.give(row.id)
    const process = await deps.sendSource(now.look.url, now.plan)
    begunAt = performance.now()
    copies = !encodes
    return { process, clip: onlineClip(row), fromMs: 0, onFallback: false, note: encodes ? ENCODED : null }
  }

  async function startFallback(videoId: string): Promise<StartedBroadcast> {
    session++
    encoders.give(row.id)
    const clip = await deps.findClip(videoId)
    return { process: await deps.sendLoop(clip), clip, fromMs: 0, onFallback: true, note: null }
  }

  async function lookWhetherGrown(): Promise<KeptPlan | null> {
    const located = await deps.sources.locate(row.user_id, ref)
    if (located.state !== 'live') return null
    const limits = await deps.limits()
    const { url } = await source.look(located.url, limits.maxHeight)
    const is = await source.planIfGrown(url, limits)
    return is && { of: url.reveal(), at: performance.now(), is }
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
      isDry = true
      ready = null
    },
    brokeOff() {
      // What it holds may have changed.
      plan = null
      ready = null
      quickEnds = performance.now() - begunAt < QUICK_END_MS ? quickEnds + 1 : 0
      if (quickEnds >= QUICK_ENDS_BEFORE_REST && row.fallback_video_id) restsUntil = performance.now() + REST_MS
    },
    async outgrew() {
      // One with an end is looked at from its start, whatever it sends by now.
      if (!copies || finite) return false
      const before = session
      const grown = await source.inTurn(lookWhetherGrown).catch(() => null)
      // What was begun meanwhile judged the source itself, and may need no encoder.
      grownLooks = grown && session === before ? grownLooks + 1 : 0
      if (!grown || grownLooks < GROWN_LOOKS_NEEDED) return false
      if (!encoders.take(row.id)) {
        // Past the plan is better than off air.
        if (grownLooks === GROWN_LOOKS_NEEDED)
          deps.log.warn({ streamId: row.id }, 'past its plan, and no encoder is free')
        return false
      }
      plan = grown
      ready = null
      return true
    },
    async isBack() {
      try {
        const seen = await lookAtSource()
        ready = seen
        return seen.plan.picture.kind === 'copy' || encoders.hasRoomFor(row.id)
      } catch (error) {
        if (error instanceof SourceAwayError) return false
        throw error
      }
    },
  }
}
