import { z } from 'zod'
import { AccountName } from './accounts.ts'
import { Answer } from './answers.ts'
import { LIVE_TITLE_MAX, ONLINE_URL_MAX, TOKEN_MAX } from './limits.ts'
import { ONLINE_TEXTS, STREAM_TEXTS, TIKTOK_TEXTS } from './texts.ts'

/** What is known of a room. 'blocked': the platform wants a login, or does not answer machines. 'unreachable': it does not answer at all. */
export const RoomState = z.enum(['live', 'offline', 'unknown', 'blocked', 'unreachable'])
export type RoomState = z.infer<typeof RoomState>

/** A room of one of the user's Bigo accounts. */
export const OnlineStream = z.object({
  /** Empty while it is not live. */
  streamUrl: z.string(),
  /** Where a browser can play it: through us, as the platform lets no page of ours read it. Null while it is not live. */
  previewUrl: z.string().nullable(),
  nickname: z.string(),
  isLive: z.boolean(),
  siteId: z.string(),
  account_id: z.string(),
  state: RoomState,
  /** The state in words. */
  message: z.string(),
})
export type OnlineStream = z.infer<typeof OnlineStream>
export const OnlineStreamsAnswer = Answer.extend({ data: z.array(OnlineStream) })
export type OnlineStreamsAnswer = z.infer<typeof OnlineStreamsAnswer>

const OnlineUrl = z
  .string({ error: ONLINE_TEXTS.urlRequired })
  .trim()
  .min(1, ONLINE_TEXTS.urlRequired)
  .max(ONLINE_URL_MAX, ONLINE_TEXTS.urlTooLong)

/** An HLS address that a user has given us. */
export const AddOnlineSourceBody = z.object({ name: AccountName, url: OnlineUrl })
export type AddOnlineSourceBody = z.infer<typeof AddOnlineSourceBody>

export const OnlineSource = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  previewUrl: z.string(),
  createdAt: z.iso.datetime(),
})
export type OnlineSource = z.infer<typeof OnlineSource>
export const OnlineSourceAnswer = Answer.extend({ data: OnlineSource })
export type OnlineSourceAnswer = z.infer<typeof OnlineSourceAnswer>
export const OnlineSourcesAnswer = Answer.extend({ data: z.array(OnlineSource) })
export type OnlineSourcesAnswer = z.infer<typeof OnlineSourcesAnswer>

/** The page names an account, as it never sees a whole token; other callers may bring the token itself. */
export const TikTokTargetBody = z
  .object({
    accountId: z
      .string({ error: STREAM_TEXTS.tikTokAccountNotFound })
      .max(100, STREAM_TEXTS.tikTokAccountNotFound)
      .optional(),
    token: z.string({ error: TIKTOK_TEXTS.tokenInvalid }).trim().max(TOKEN_MAX, TIKTOK_TEXTS.tokenInvalid).optional(),
    title: z
      .string({ error: STREAM_TEXTS.titleInvalid })
      .trim()
      .max(LIVE_TITLE_MAX, STREAM_TEXTS.titleTooLong)
      .default(''),
  })
  .refine(({ accountId, token }) => accountId || token, { error: STREAM_TEXTS.pickTikTokAccount, path: ['accountId'] })
export type TikTokTargetBody = z.infer<typeof TikTokTargetBody>

export const TikTokTargetAnswer = Answer.extend({ stream: z.object({ id: z.string(), rtmpSteam: z.string() }) })
export type TikTokTargetAnswer = z.infer<typeof TikTokTargetAnswer>
