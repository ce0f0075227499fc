import { StartStreamBody } from '@siarin/contracts/streams'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'

/** What a schedule starts is kept as its owner asked for it, key and all, and specified anew each time: what has changed meanwhile counts. */
export const sealRequest = (sealer: Pick<Sealer, 'seal'>, request: StartStreamBody): string =>
  sealer.seal(new Secret(JSON.stringify(request)))

export const openRequest = (sealer: Pick<Sealer, 'open'>, sealed: string): StartStreamBody =>
  JSON.parse(sealer.open(sealed).reveal())

/** Another broadcast for the same schedule. Who gives no key means the one from before, which only its own platform knows. */
export function replaceRequest(before: StartStreamBody, given: StartStreamBody): StartStreamBody {
  if (given.rtmpStream || given.targetOf) return given
  if (given.platform !== before.platform) throw new DomainError('target_invalid', STREAM_TEXTS.keyRequired)
  const { rtmpStream, targetOf } = before
  return { ...given, rtmpStream, ...(targetOf !== undefined && { targetOf }) }
}

/** Whether a request is complete by itself: `replaceRequest` may have been given one without any target. */
export const isComplete = (request: StartStreamBody): boolean => StartStreamBody.safeParse(request).success
