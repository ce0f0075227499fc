import { PLATFORM_FACTS, type Platform } from '@siarin/contracts/platforms'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { rtmpTarget } from '@siarin/media/rtmp-target'
import type { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import type { AddressVerdict } from '../../platform/egress/address-guard.ts'

export interface Target {
  readonly url: Secret
  readonly host: string
}

interface ResolveTargetDeps {
  allowPrivateNetwork: boolean
  judgeHost: (host: string) => Promise<AddressVerdict>
}

/** What the user typed, made into the address to send to: a bare key gets the platform's address in front. */
export async function resolveTarget(
  platform: Platform,
  typed: string,
  { allowPrivateNetwork, judgeHost }: ResolveTargetDeps,
): Promise<Target> {
  const target = rtmpTarget(typed, PLATFORM_FACTS[platform].ingestBase)
  if (!target.ok) {
    const message = target.fault === 'whole-url-required' ? STREAM_TEXTS.wholeUrlRequired : STREAM_TEXTS.keyInvalid
    throw new DomainError('target_invalid', message)
  }
  if (!allowPrivateNetwork) {
    const verdict = await judgeHost(target.host)
    if (verdict === 'private') throw new DomainError('target_forbidden', STREAM_TEXTS.targetPrivate)
    // A platform's own address may be out of reach for a moment; one that somebody typed is more likely wrong.
    const own = PLATFORM_FACTS[platform].ingestBase
    if (verdict === 'unknown-host' && (own === null || new URL(own).hostname !== target.host)) {
      throw new DomainError('target_invalid', STREAM_TEXTS.targetUnknownHost)
    }
  }
  return { url: target.url, host: target.host }
}
