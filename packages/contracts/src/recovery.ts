import { z } from 'zod'
import { Email, Password } from './auth.ts'
import { RECOVERY_TEXTS } from './auth-texts.ts'

/** The token of the link, behind its '#'. */
const LinkToken = z
  .string({ error: RECOVERY_TEXTS.linkEnded })
  .min(1, RECOVERY_TEXTS.linkEnded)
  .max(100, RECOVERY_TEXTS.linkEnded)

export const AskResetBody = z.object({ email: Email })
export type AskResetBody = z.infer<typeof AskResetBody>

export const ResetPasswordBody = z.object({ token: LinkToken, newPassword: Password })
export type ResetPasswordBody = z.infer<typeof ResetPasswordBody>

export const VerifyEmailBody = z.object({ token: LinkToken })
export type VerifyEmailBody = z.infer<typeof VerifyEmailBody>
