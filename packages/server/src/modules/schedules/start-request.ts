import type { StartBroadcastBody, TargetBody } from '@siarin/contracts/broadcasts'
import type { ScheduledStartBody, ScheduledStartChange } from '@siarin/contracts/schedules/scheduled-start'
import type { StartStreamBody } from '@siarin/contracts/streams'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { SourceColumns } from '../broadcasts/spec/choose-source.ts'
import type { VideoPins } from '../broadcasts/spec/named-videos.ts'

/** A stored target is kept with what it was called: once it has been deleted, its owner can still be told which one that was. */
export type KeptTarget = TargetBody & { readonly name?: string | null | undefined }

/** One typed target, as all requests had before there were several, or `targets`. Those of before 0.8 have no pins; see pin-videos.ts. */
export type ScheduledRequest = (
  | StartStreamBody
  | (Omit<StartBroadcastBody, 'targets'> & { readonly targets: KeptTarget[] })
) & { readonly pins?: VideoPins }

export const targetsOf = (request: ScheduledRequest): readonly KeptTarget[] =>
  'targets' in request ? request.targets : [request]

/** What a schedule starts is kept as its owner asked for it, keys and all, and specified anew each time: what has changed meanwhile counts. */
export const sealRequest = (sealer: Pick<Sealer, 'seal'>, request: ScheduledRequest): string =>
  sealer.seal(new Secret(JSON.stringify(request)))

export const openRequest = (sealer: Pick<Sealer, 'open'>, sealed: string): ScheduledRequest =>
  JSON.parse(sealer.open(sealed).reveal())

const keyRequired = (): DomainError => new DomainError('target_invalid', STREAM_TEXTS.keyRequired)

/** In the form that broadcasts take. */
export function requestOf({ platform, rtmpStream, targetOf, targets, ...what }: ScheduledStartBody): ScheduledRequest {
  if (targets) return { ...what, targets }
  if (!platform) throw new DomainError('target_invalid', STREAM_TEXTS.platformUnknown)
  return { ...what, platform, rtmpStream, ...(targetOf !== undefined && { targetOf }) }
}

/** Another broadcast for the same schedule. Who names no target means those from before; who gives no key, the one from before. */
export function replaceRequest(before: ScheduledRequest, given: ScheduledStartChange): ScheduledRequest {
  const { platform, rtmpStream, targetOf, targets, ...what } = given
  if (targets) return { ...what, targets: withKeys(targetsOf(before), targets) }
  if (!platform) {
    if ('targets' in before) return { ...what, targets: before.targets }
    return requestOf({ ...what, platform: before.platform, rtmpStream: before.rtmpStream, targetOf: before.targetOf })
  }
  const [target] = withKeys(targetsOf(before), [{ platform, rtmpStream, targetOf }])
  if (!target) throw keyRequired()
  return requestOf({ ...what, platform, rtmpStream: target.rtmpStream, targetOf: target.targetOf })
}

const isBare = ({ targetId, rtmpStream, targetOf }: TargetBody): boolean => !targetId && !rtmpStream && !targetOf

/** Only its own platform knows a key. Where a platform has several, they are told apart by their order, and only while none is missing. */
function withKeys(before: readonly KeptTarget[], given: readonly TargetBody[]): TargetBody[] {
  return given.map((target) => {
    if (!isBare(target)) return target
    const kept = before.filter(({ targetId, platform }) => !targetId && platform === target.platform)
    const asked = given.filter((each) => isBare(each) && each.platform === target.platform)
    const same = kept.length === asked.length ? kept[asked.indexOf(target)] : undefined
    if (!same) throw keyRequired()
    return { platform: same.platform, rtmpStream: same.rtmpStream, targetOf: same.targetOf }
  })
}

/** With the videos that it names now. `source`: what it was found to be. */
export function withPins(request: ScheduledRequest, source: SourceColumns): ScheduledRequest {
  const isVideo = source.source_kind === 'video' && !source.playlist_id
  return { ...request, pins: { video: isVideo ? source.video_id : null, fallback: source.fallback_video_id } }
}

/** With what its stored targets are called. `found`: what its targets are, in their order. */
export function withNames(
  request: ScheduledRequest,
  found: readonly Pick<KeptTarget, 'platform' | 'name'>[],
): ScheduledRequest {
  if (!('targets' in request)) return request
  const targets = request.targets.map((target, index): KeptTarget => {
    const { platform, name } = found[index] ?? {}
    return target.targetId ? { ...target, platform, name } : target
  })
  return { ...request, targets }
}
