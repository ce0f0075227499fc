import { z } from 'zod'
import { Answer } from './answers.ts'
import { SECOND_FACTOR_TEXTS } from './auth-texts.ts'
import { PASSWORD_MAX } from './limits.ts'
import { AUTH_TEXTS } from './texts.ts'

/** A code of the app, or a recovery code. */
export const Code = z
  .string({ error: SECOND_FACTOR_TEXTS.required })
  .trim()
  .min(6, SECOND_FACTOR_TEXTS.required)
  .max(20, SECOND_FACTOR_TEXTS.wrong)

export const CodeBody = z.object({ code: Code })
export type CodeBody = z.infer<typeof CodeBody>

/** For what weakens or replaces it: the password, and a code. */
const PasswordAndCode = z.object({
  password: z
    .string({ error: AUTH_TEXTS.currentPasswordRequired })
    .min(1, AUTH_TEXTS.currentPasswordRequired)
    .max(PASSWORD_MAX, AUTH_TEXTS.currentPasswordWrong),
  code: Code,
})

export const TurnOffSecondFactorBody = PasswordAndCode
export type TurnOffSecondFactorBody = z.infer<typeof TurnOffSecondFactorBody>

export const NewRecoveryCodesBody = PasswordAndCode
export type NewRecoveryCodesBody = z.infer<typeof NewRecoveryCodesBody>

/** The second step of a login: `challenge` comes with `second_factor_needed`. */
export const LoginCodeBody = z.object({
  challenge: z.string({ error: SECOND_FACTOR_TEXTS.challengeEnded }).max(1000, SECOND_FACTOR_TEXTS.challengeEnded),
  code: Code,
})
export type LoginCodeBody = z.infer<typeof LoginCodeBody>

/** What a login answers instead of a session, with status 403. */
export interface SecondFactorNeeded {
  readonly success: false
  readonly code: 'second_factor_needed'
  readonly message: string
  readonly challenge: string
}

export const SecondFactorStatus = z.object({ enabled: z.boolean(), recoveryCodesLeft: z.number().int() })
export type SecondFactorStatus = z.infer<typeof SecondFactorStatus>

export const SecondFactorAnswer = Answer.extend({ data: SecondFactorStatus })
export type SecondFactorAnswer = z.infer<typeof SecondFactorAnswer>

/** `uri` is what the QR code says, `secret` what is typed where no camera is. */
export const ProposedSecondFactorAnswer = Answer.extend({ data: z.object({ secret: z.string(), uri: z.string() }) })
export type ProposedSecondFactorAnswer = z.infer<typeof ProposedSecondFactorAnswer>

export const RecoveryCodesAnswer = Answer.extend({ data: z.object({ recoveryCodes: z.array(z.string()) }) })
export type RecoveryCodesAnswer = z.infer<typeof RecoveryCodesAnswer>
