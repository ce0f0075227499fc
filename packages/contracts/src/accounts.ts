import { z } from 'zod'
import { Answer } from './answers.ts'
import { ACCOUNT_NAME_MAX, SITE_ID_MAX, TOKEN_MAX } from './limits.ts'
import { ACCOUNT_TEXTS } from './texts.ts'

/** Platforms on which a user has accounts with us. */
export const ACCOUNT_KINDS = ['bigo', 'tiktok'] as const
export type AccountKind = (typeof ACCOUNT_KINDS)[number]

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_OR_BIDI = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u

export const AccountName = z
  .string({ error: ACCOUNT_TEXTS.nameRequired })
  .trim()
  .min(1, ACCOUNT_TEXTS.nameRequired)
  .max(ACCOUNT_NAME_MAX, ACCOUNT_TEXTS.nameTooLong)
  .refine((name) => !CONTROL_OR_BIDI.test(name) && name.isWellFormed(), ACCOUNT_TEXTS.nameUnprintable)

/** Who copies from the browser's address bar has the whole address of the room. */
const withoutRoomAddress = (typed: string): string =>
  /^(?:https?:\/\/)?(?:www\.)?bigo\.tv\/(?:.*\/)?([^/?#]+)\/?(?:[?#].*)?$/i.exec(typed)?.[1] ?? typed

/** The id of a room: a number, or a name that its owner chose. */
const SiteId = z
  .string({ error: ACCOUNT_TEXTS.siteIdRequired })
  .trim()
  .min(1, ACCOUNT_TEXTS.siteIdRequired)
  .transform(withoutRoomAddress)
  .pipe(
    z
      .string()
      .max(SITE_ID_MAX, ACCOUNT_TEXTS.siteIdInvalid)
      .regex(/^[\w.-]+$/, ACCOUNT_TEXTS.siteIdInvalid),
  )

const Token = z
  .string({ error: ACCOUNT_TEXTS.tokenRequired })
  .trim()
  .min(1, ACCOUNT_TEXTS.tokenRequired)
  .max(TOKEN_MAX, ACCOUNT_TEXTS.tokenInvalid)
  .regex(/^[\x21-\x7e]+$/, ACCOUNT_TEXTS.tokenInvalid)

export const AddBigoAccountBody = z.object({ siteId: SiteId, name: AccountName })
export const AddTikTokAccountBody = z.object({ token: Token, name: AccountName })

/** A token never leaves the server again: what stands in its place shows its end only. */
export const Account = z.object({
  platform: z.enum(ACCOUNT_KINDS),
  account_id: z.string(),
  name: z.string(),
  credentials: z.union([z.object({ siteId: z.string() }), z.object({ token: z.string() })]),
  createdAt: z.iso.datetime(),
})
export type Account = z.infer<typeof Account>

export const AccountAnswer = Answer.extend({ data: Account })
export const AccountListAnswer = Answer.extend({ data: z.array(Account) })
export type AccountListAnswer = z.infer<typeof AccountListAnswer>
