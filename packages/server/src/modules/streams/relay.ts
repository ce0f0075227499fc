import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import type { RelayPlan } from '@siarin/media/relay-plan'
import type { Secret } from '@siarin/media/secret'
import type { Log } from '../../platform/log.ts'
import type { OnlineRef, OnlineSources } from '../platforms/index.ts'
import type { BroadcastProcess } from './broadcast-process.ts'
import type { Clip } from './clips.ts'
import type { Encoders } from './encoders.ts'
import type { StartedBroadcast } from './keeper-deps.ts'
import type { RelaySource, SourceLook } from './relay-source.ts'
import { EncodersFullError, SourceAwayError } from './source-errors.ts'
import type { StreamRow } from './streams.repo.ts'

interface RelayDeps {
  row: StreamRow
  ref: OnlineRef
  sources: Pick<OnlineSources, 'locate'>
  source: RelaySource
  encoders: Encoders
  log: Log
  /** What the owner's plan allows. */
  maxHeight: () => Promise<number>
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
  /** Whether the source could take over from the video that stands in. */
  isBack(): Promise<boolean>
}

interface Ready {
  readonly look: SourceLook
  readonly plan: RelayPlan
  readonly at: number
}

/** A source that was just seen needs no second look. */
const JUST_SEEN_MS = 10_000
/** What a source holds seldom changes; asking takes seconds. */
const PLAN_KEPT_MS = 600_000

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
  /** It has an end, and is sent again from its start; null: not looked at yet. */
  let finite: boolean | null = null
  /** What it offered when nothing came any more, or when it was last begun. */
  let staleMark: string | null = null
  let isDry = false

  async function lookAtSource(): Promise<Ready> {
    const located = await deps.sources.locate(row.user_id, ref)
    if (located.state !== 'live') throw new SourceAwayError(`the source is ${located.state}`)
    const maxHeight = await deps.maxHeight()
    const look = await source.look(located.url, maxHeight)
    finite ??= ref.kind === 'hls' && look.ended
    if (!finite) {
      if (look.ended) throw new SourceAwayError('the source has ended')
      if (isDry) staleMark = look.mark
      isDry = false
      if (look.mark === staleMark) throw new SourceAwayError('the source adds nothing')
    }
    const isKnown = ready?.look.url.reveal() === look.url.reveal() && performance.now() - ready.at < PLAN_KEPT_MS
    const plan = ready && isKnown ? ready.plan : await source.plan(look.url, maxHeight)
    return { look, plan, at: performance.now() }
  }

  async function startSource(): Promise<StartedBroadcast> {
    const isFresh =
      ready !== null && !isDry && performance.now() - ready.at < JUST_SEEN_MS && ready.look.mark !== staleMark
    const now = isFresh && ready ? ready : await lookAtSource()
    ready = now
    staleMark = now.look.mark
    const encodes = now.plan.picture.kind === 'encode'
    if (encodes && !encoders.take(row.id)) throw new EncodersFullError('all encoders are taken')
    if (!encodes) encoders.give(row.id)
    const process = await deps.sendSource(now.look.url, now.plan)
    return { process, clip: onlineClip(row), fromMs: 0, onFallback: false, note: encodes ? ONLINE_TEXTS.encoded : null }
  }

  async function startFallback(videoId: string): Promise<StartedBroadcast> {
    encoders.give(row.id)
    const clip = await deps.findClip(videoId)
    return { process: await deps.sendLoop(clip), clip, fromMs: 0, onFallback: true, note: null }
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
    async isBack() {
      try {
        ready = await lookAtSource()
        return true
      } catch (error) {
        if (error instanceof SourceAwayError) return false
        throw error
      }
    },
  }
}
