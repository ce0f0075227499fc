import { presetOf } from '@siarin/contracts/platform-presets'
import { PLATFORM_FACTS, type Platform } from '@siarin/contracts/platforms'
import { TARGET_TEXTS } from '@siarin/contracts/target-texts'
import { type AddTargetBody, type ChangeTargetBody, type Target, TargetName } from '@siarin/contracts/targets'

export interface TargetForm {
  readonly name: string
  readonly platform: Platform
  /** Under 'Lainnya': which of the presets; empty: none. */
  readonly preset: string
  readonly address: string
  readonly key: string
}

export type FormFaults = Partial<Record<'name' | 'address' | 'key', string>>

/** What the dialog begins with: nothing, or a target whose key stays on the server. */
export const formOf = (target: Target | null): TargetForm => ({
  name: target?.name ?? '',
  platform: target?.platform ?? 'youtube',
  preset: target?.preset ?? '',
  address: target?.address ?? '',
  key: '',
})

/** A service brings its server along, and a name where there is none yet. */
export function changeForm(form: TargetForm, change: Partial<TargetForm>): TargetForm {
  const next = { ...form, ...change }
  if (next.platform !== form.platform) return { ...next, preset: '' }
  const chosen = next.preset === form.preset ? null : presetOf(next.preset)
  if (!chosen) return next
  return { ...next, address: chosen.servers[0]?.url ?? '', name: next.name || chosen.name }
}

/** A platform with an address of its own is asked for one only where the target has another. */
export const asksAddress = (platform: Platform, target: Target | null): boolean =>
  PLATFORM_FACTS[platform].ingestBase === null || (target?.address != null && target.platform === platform)

/** What can be said before the server is asked; it judges everything else. */
export function faultsOf(form: TargetForm, target: Target | null): FormFaults {
  const name = TargetName.safeParse(form.name)
  const noKey = form.key.trim() === '' && target === null
  // A whole address has its key in it.
  const isWhole = /^rtmps?:\/\/[^/]+\/[^/]+\/./i.test(form.address.trim())
  const needsAddress = PLATFORM_FACTS[form.platform].ingestBase === null && !form.key.includes('://')
  return {
    ...(!name.success && { name: name.error.issues[0]?.message ?? TARGET_TEXTS.nameRequired }),
    ...(needsAddress && form.address.trim() === '' && { address: TARGET_TEXTS.addressInvalid }),
    ...(noKey && !isWhole && { key: TARGET_TEXTS.keyRequired }),
  }
}

const typedAddress = (form: TargetForm, target: Target | null): string | null =>
  (asksAddress(form.platform, target) && form.address.trim()) || null

export const newTarget = (form: TargetForm): AddTargetBody => ({
  name: form.name.trim(),
  platform: form.platform,
  ...(form.preset && { preset: form.preset }),
  address: typedAddress(form, null),
  key: form.key.trim() || null,
})

/** Only what is not as it was: a name alone needs no proof, and a key that was not typed stays. */
export function changedTarget(form: TargetForm, target: Target): ChangeTargetBody {
  const address = typedAddress(form, target)
  const key = form.key.trim()
  // A whole address that was typed as the key brings its server along.
  const keepsAddress = address === target.address || key.includes('://')
  return {
    ...(form.name.trim() !== target.name && { name: form.name.trim() }),
    ...(form.platform !== target.platform && { platform: form.platform, preset: null }),
    ...(form.platform === target.platform && form.preset !== (target.preset ?? '') && { preset: form.preset || null }),
    ...(!keepsAddress && { address }),
    ...(key !== '' && { key }),
  }
}
