import type { Platform } from '@siarin/contracts/platforms'
import { TARGET_TEXTS } from '@siarin/contracts/target-texts'
import { rtmpTarget } from '@siarin/media/rtmp-target'
import { DomainError } from '../../errors.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { resolveTarget, type Target } from './resolve-target.ts'
import { type PartsFault, type TargetParts, targetParts, wholeOf } from './target-parts.ts'

interface TypedTarget {
  readonly platform: Platform
  readonly address: string | null
  readonly key: string | null
}

interface JudgedTarget extends Target {
  readonly parts: TargetParts
}

const FAULT_TEXTS: Record<PartsFault, string> = {
  'key-required': TARGET_TEXTS.keyRequired,
  'key-is-address': TARGET_TEXTS.keyIsAddress,
  'address-invalid': TARGET_TEXTS.addressInvalid,
  'address-has-query': TARGET_TEXTS.addressHasQuery,
}

/** What somebody typed, made into what is kept, or refused with words: the rules are those of a broadcast. */
export async function judgeTarget(
  { platform, address, key }: TypedTarget,
  egress: Pick<Egress, 'resolve'>,
): Promise<JudgedTarget> {
  const parts = targetParts(address, key)
  if (typeof parts === 'string') throw new DomainError('target_invalid', FAULT_TEXTS[parts])
  // Which of the two is at fault: any key would do here.
  if (parts.address !== null && !rtmpTarget(`${parts.address}/key`, null).ok) {
    throw new DomainError('target_invalid', TARGET_TEXTS.addressInvalid)
  }
  return { parts, ...(await resolveTarget(platform, wholeOf(parts), egress)) }
}
