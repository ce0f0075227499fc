import type { LogoLook } from '@siarin/contracts/branding'
import { presetOf } from '@siarin/contracts/platform-presets'
import type { Platform } from '@siarin/contracts/platforms'
import type { Rendition, Video } from '@siarin/contracts/videos'
import type { ScheduleForm } from '../schedules/schedule-form.ts'

/** What the Go tab asks for. */
export interface GoForm {
  readonly title: string
  readonly platform: Platform
  /** Under 'Lainnya': which of the presets; empty: none. */
  readonly preset: string
  /** Under 'Lainnya': the server that a bare key belongs to; empty: the key is a whole address. */
  readonly server: string
  readonly key: string
  /** The ended stream whose key the server uses again while none is typed; empty: none. */
  readonly keyOf: string
  readonly accountId: string
  /** The video that stands in while an online source is away; empty: none. */
  readonly fallback: string
  /** The stored targets that it goes to, besides the one that is named above. */
  readonly ticked: readonly string[]
  /** A video that is still being prepared goes on air as soon as it is ready. */
  readonly whenReady: boolean
  /** When it begins and ends; null: now, until it is stopped. */
  readonly schedule: ScheduleForm | null
  /** A playlist ends after one round. */
  readonly once: boolean
  readonly record: boolean
  /** The recipe of the version with a brand that is sent; empty: the video itself, or what fits each platform. */
  readonly rendition: string
  /** Where the logo stands on the picture of an online source; empty: nowhere. */
  readonly logo: LogoLook['corner'] | ''
}

export const EMPTY_FORM: GoForm = {
  ...{ title: '', platform: 'youtube', preset: '', server: '', key: '', keyOf: '', accountId: '', fallback: '' },
  ticked: [],
  whenReady: true,
  schedule: null,
  once: false,
  record: false,
  rendition: '',
  logo: '',
}

/** Whether it names a target of its own: a key, or an account that gives one. */
export const namesTarget = ({ platform, key, keyOf, accountId }: GoForm): boolean =>
  platform === 'tiktok' ? accountId !== '' : key.trim() !== '' || keyOf !== ''

/** Whether what is ticked is all that it goes to. */
export const goesToTickedOnly = (form: GoForm): boolean => form.ticked.length > 0 && !namesTarget(form)

/** TikTok gives a target for a broadcast that begins now. */
export const mayWait = (form: GoForm): boolean => form.platform !== 'tiktok' || goesToTickedOnly(form)

export function changeForm(form: GoForm, change: Partial<GoForm>): GoForm {
  const next = { ...form, ...change }
  // A key belongs to the platform it was copied from; TikTok has none of its own.
  if (next.platform !== form.platform) {
    return { ...next, keyOf: '', preset: '', server: '', ...(next.platform === 'tiktok' && { key: '' }) }
  }
  if (next.preset === form.preset) return next
  return { ...next, keyOf: '', server: presetOf(next.preset)?.servers[0]?.url ?? '' }
}

/** With a brand on them: they are sent where they are asked for. */
export const brandedVersions = (video: Pick<Video, 'renditions'> | undefined): readonly Rendition[] =>
  video?.renditions?.filter(({ look, state }) => look && state !== 'failed') ?? []

/** The chosen version; null: none, or none that this video has ready. The choice may have been made for another one. */
export const chosenVersion = (
  video: Pick<Video, 'renditions'> | undefined,
  { rendition }: Pick<GoForm, 'rendition'>,
): Rendition | null =>
  brandedVersions(video).find(({ recipe, state }) => recipe === rendition && state === 'ready') ?? null
