import { PLATFORM_FACTS, type Platform } from '@siarin/contracts/platforms'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { rtmpTarget } from '@siarin/media/rtmp-target'
import type { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import { type Egress, EgressRefused } from '../../platform/egress/egress.ts'
import { firstToAnswer } from '../../platform/egress/first-to-answer.ts'
import type { LastFound } from '../../platform/egress/name-lookup.ts'

export interface Target {
  readonly url: Secret
  readonly host: string
}

/** What the user typed, made into the address to send to: a bare key gets the platform's address in front. */
export async function resolveTarget(
  platform: Platform,
  typed: Secret,
  egress: Pick<Egress, 'resolve'>,
): Promise<Target> {
  const target = rtmpTarget(typed.reveal(), PLATFORM_FACTS[platform].ingestBase)
  if (!target.ok) {
    const message = target.fault === 'whole-url-required' ? STREAM_TEXTS.wholeUrlRequired : STREAM_TEXTS.keyInvalid
    throw new DomainError('target_invalid', message)
  }
  try {
    await egress.resolve(target.host)
  } catch (error) {
    if (!(error instanceof EgressRefused)) throw error
    if (error.why !== 'unknown-host') throw new DomainError('target_forbidden', STREAM_TEXTS.targetPrivate)
    // A platform's own address may be out of reach for a moment; one that somebody typed is more likely wrong.
    const own = PLATFORM_FACTS[platform].ingestBase
    if (own === null || new URL(own).hostname !== target.host) {
      throw new DomainError('target_invalid', STREAM_TEXTS.targetUnknownHost)
    }
  }
  return { url: target.url, host: target.host }
}

/**
 * Where ffmpeg is to connect to, judged anew before each start, since a name may lead elsewhere by now. Null: by the name, which
 * the certificate of an RTMPS server is for; docs/operations.md has the firewall rule for what the name may do meanwhile.
 */
export async function addressOfTarget(
  url: Secret,
  egress: Pick<Egress, 'resolve'>,
  own?: LastFound,
): Promise<string | null> {
  const target = rtmpTarget(url.reveal(), null)
  if (!target.ok) throw new EgressRefused('invalid')
  const addresses = await egress.resolve(target.host, own)
  return url.reveal().startsWith('rtmps:') ? null : firstToAnswer(addresses, target.port)
}
