import { z } from 'zod'
import { Answer } from './answers.ts'
import { STREAM_KEY_MAX, TARGET_NAME_MAX } from './limits.ts'
import { PLATFORMS } from './platforms.ts'
import { TARGET_TEXTS } from './target-texts.ts'
import { STREAM_TEXTS } from './texts.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_OR_BIDI = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u

export const TargetName = z
  .string({ error: TARGET_TEXTS.nameRequired })
  .trim()
  .min(1, TARGET_TEXTS.nameRequired)
  .max(TARGET_NAME_MAX, TARGET_TEXTS.nameTooLong)
  .refine((name) => !CONTROL_OR_BIDI.test(name) && name.isWellFormed(), TARGET_TEXTS.nameUnprintable)

const TargetPlatform = z.enum(PLATFORMS, { error: STREAM_TEXTS.platformUnknown })
const Key = z.string({ error: TARGET_TEXTS.keyInvalid }).trim().max(STREAM_KEY_MAX, TARGET_TEXTS.keyInvalid)
/** The RTMP server's address, or a whole one with the key in it. */
const Address = z.string({ error: TARGET_TEXTS.addressInvalid }).trim().max(STREAM_KEY_MAX, TARGET_TEXTS.addressInvalid)
/** Which entry of the list of platforms it was made from. */
const Preset = z
  .string({ error: TARGET_TEXTS.presetInvalid })
  .regex(/^[a-z0-9][a-z0-9-]{0,59}$/, TARGET_TEXTS.presetInvalid)

export const AddTargetBody = z.object({
  name: TargetName,
  platform: TargetPlatform,
  preset: Preset.nullish(),
  address: Address.nullish(),
  key: Key.nullish(),
})
export type AddTargetBody = z.infer<typeof AddTargetBody>

/** What is left out stays as it is. */
export const ChangeTargetBody = z
  .object({
    name: TargetName.optional(),
    platform: TargetPlatform.optional(),
    preset: Preset.nullable().optional(),
    address: Address.nullable().optional(),
    key: Key.optional(),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: TARGET_TEXTS.nothingToChange,
    path: ['name'],
  })
export type ChangeTargetBody = z.infer<typeof ChangeTargetBody>

export const TARGETS_PER_PAGE_MAX = 100

export const ListTargetsQuery = z.object({
  /** The `nextCursor` of the page before. */
  cursor: z.string({ error: TARGET_TEXTS.cursorInvalid }).max(1000, TARGET_TEXTS.cursorInvalid).optional(),
  limit: z.coerce
    .number({ error: TARGET_TEXTS.limitInvalid })
    .int(TARGET_TEXTS.limitInvalid)
    .min(1, TARGET_TEXTS.limitInvalid)
    .max(TARGETS_PER_PAGE_MAX, TARGET_TEXTS.limitInvalid)
    .default(50),
})
export type ListTargetsQuery = z.infer<typeof ListTargetsQuery>

/** 'broke-off': it was taken, and cut before the end. 'failed': the fault is not the platform's. */
export const TargetOutcome = z.enum(['taken', 'refused', 'unreachable', 'broke-off', 'failed'])
export type TargetOutcome = z.infer<typeof TargetOutcome>

/** What the platform answered to a test. */
export const TargetCheck = z.object({ at: z.iso.datetime(), outcome: TargetOutcome, message: z.string() })
export type TargetCheck = z.infer<typeof TargetCheck>

/** The key never leaves the server again: `keyHint` shows its end only. */
export const Target = z.object({
  id: z.string(),
  name: z.string(),
  platform: z.enum(PLATFORMS),
  preset: z.string().nullable(),
  /** Null: the platform's own. */
  address: z.string().nullable(),
  keyHint: z.string(),
  createdAt: z.iso.datetime(),
  /** When a broadcast last went there; null: not yet. */
  lastUsedAt: z.iso.datetime().nullable(),
  /** The last test since key and address are what they are; null: none. */
  check: TargetCheck.nullable(),
})
export type Target = z.infer<typeof Target>

export const TargetAnswer = Answer.extend({ data: Target })
export type TargetAnswer = z.infer<typeof TargetAnswer>
/** `usedOnAir`: a broadcast goes there now, with what it was before the change. */
export const ChangedTargetAnswer = TargetAnswer.extend({ usedOnAir: z.boolean() })
export type ChangedTargetAnswer = z.infer<typeof ChangedTargetAnswer>
export const TargetListAnswer = Answer.extend({ data: z.array(Target), nextCursor: z.string().nullable() })
export type TargetListAnswer = z.infer<typeof TargetListAnswer>
export const TargetTestAnswer = Answer.extend({ data: TargetCheck })
export type TargetTestAnswer = z.infer<typeof TargetTestAnswer>
