import { z } from 'zod'
import { formatBytes } from './format.ts'
import { nextPlan, PLAN_IDS, type PlanId, planOf } from './plans.ts'
import { isReasonCode } from './reason-codes.ts'
import { RENDITION_TEXTS } from './rendition-texts.ts'
import { PLAN_TEXTS, VIDEO_TEXTS } from './texts.ts'

/** Why a video was refused or failed, where there is nothing more to say than that. */
export const VIDEO_REASON_TEXTS = {
  empty: VIDEO_TEXTS.empty,
  unreadable: VIDEO_TEXTS.unreadable,
  truncated: VIDEO_TEXTS.truncated,
  'no-video': VIDEO_TEXTS.noVideo,
  'is-image': VIDEO_TEXTS.isImage,
  'is-playlist': VIDEO_TEXTS.isPlaylist,
  'too-short': VIDEO_TEXTS.tooShort,
  'too-many-pixels': VIDEO_TEXTS.tooManyPixels,
  'too-long': VIDEO_TEXTS.tooLong,
  'too-long-for-plan': RENDITION_TEXTS.tooLongToMake,
  'too-sparse': VIDEO_TEXTS.tooSparse,
  'too-much-work': VIDEO_TEXTS.tooMuchWork,
  'too-much-sound': VIDEO_TEXTS.tooMuchSound,
  'over-time': VIDEO_TEXTS.overTime,
  'cut-off': VIDEO_TEXTS.cutOff,
  'disk-full': VIDEO_TEXTS.diskFull,
  'prepare-failed': VIDEO_TEXTS.prepareFailed,
  'picture-changes': VIDEO_TEXTS.pictureChanges,
  'url-forbidden': VIDEO_TEXTS.urlForbidden,
  'url-unreachable': VIDEO_TEXTS.urlUnreachable,
  'url-too-slow': VIDEO_TEXTS.urlTooSlow,
  'recording-gone': VIDEO_TEXTS.recordingGone,
} as const
export type PlainVideoReason = keyof typeof VIDEO_REASON_TEXTS

/** Whose room it is; null: no plan is at fault. */
const plan = z.enum(PLAN_IDS).nullable().catch(null)
const bytes = z.number()

const DetailedReason = z.discriminatedUnion('code', [
  z.object({ code: z.literal('url-answered'), status: z.number() }),
  z.object({ code: z.literal('no-room'), leftBytes: bytes, neededBytes: bytes, plan }),
  /** No deleting makes room for it. */
  z.object({ code: z.literal('over-room'), roomBytes: bytes, neededBytes: bytes, plan }),
  z.object({ code: z.literal('master-too-large'), plan }),
])
type DetailedReason = z.infer<typeof DetailedReason>

/** A code, with its figures where the sentence names some. */
export type VideoReason = { readonly code: PlainVideoReason } | Readonly<DetailedReason>

/** A video can be used, but its owner should know this. `because`: why, as a row keeps it. */
const Warning = z.discriminatedUnion('code', [
  z.object({ code: z.literal('cut-short') }),
  z.object({ code: z.literal('prepare-again-failed'), because: z.string() }),
])
type VideoWarning = Readonly<z.infer<typeof Warning>>

/** Which plan's room it is and how to get more. */
function planRoomWords(id: PlanId | null): string {
  if (id === null) return ''
  const { name, limits } = planOf(id)
  return ` ${PLAN_TEXTS.storage(name, `${limits.storageGb} GB`, nextPlan(id)?.name ?? null)}`
}

export function videoReasonText(reason: VideoReason): string {
  switch (reason.code) {
    case 'url-answered':
      return VIDEO_TEXTS.urlAnswered(reason.status)
    case 'no-room':
      return `${VIDEO_TEXTS.noRoom(formatBytes(reason.leftBytes), formatBytes(reason.neededBytes))}${planRoomWords(reason.plan)}`
    case 'over-room':
      return `${VIDEO_TEXTS.overRoom(formatBytes(reason.roomBytes), formatBytes(reason.neededBytes))}${planRoomWords(reason.plan)}`
    case 'master-too-large':
      return `${VIDEO_TEXTS.masterTooLarge}${planRoomWords(reason.plan)}`
    default:
      return VIDEO_REASON_TEXTS[reason.code]
  }
}

/** As a row keeps it: the bare code, or JSON where there is more than that. */
export const storedForm = (said: VideoReason | VideoWarning): string =>
  Object.keys(said).length === 1 ? said.code : JSON.stringify(said)

/** Null: neither a code nor JSON. */
function readForm(stored: string): unknown {
  if (isReasonCode(stored)) return { code: stored }
  try {
    return stored.startsWith('{') ? JSON.parse(stored) : null
  } catch {
    return null
  }
}

const isPlain = (form: unknown): form is { code: PlainVideoReason } =>
  Object.hasOwn(VIDEO_REASON_TEXTS, (form as { code?: string }).code ?? '')

/** The sentence for what a row says. A code may be another version's, which this one does not know. */
export function storedReasonText(stored: string): string {
  const form = readForm(stored)
  if (form === null) return stored
  const reason = isPlain(form) ? form : DetailedReason.safeParse(form).data
  return reason ? videoReasonText(reason) : VIDEO_TEXTS.prepareFailed
}

/** The same for a warning; null: nothing that this version can put into words. */
export function storedWarningText(stored: string): string | null {
  const form = readForm(stored)
  if (form === null) return stored
  const warning = Warning.safeParse(form).data
  if (!warning) return null
  return warning.code === 'cut-short'
    ? VIDEO_TEXTS.warnTruncated
    : PLAN_TEXTS.prepareAgainFailed(storedReasonText(warning.because))
}
