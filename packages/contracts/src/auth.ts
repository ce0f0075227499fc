import { z } from 'zod'
import { Answer } from './answers.ts'
import { EMAIL_MAX, PASSWORD_MAX, PASSWORD_MIN, REQUIRED_EMAIL_DOMAIN, USERNAME_MAX, USERNAME_MIN } from './limits.ts'
import { PLAN_IDS } from './plans.ts'
import { Code } from './second-factor.ts'
import { AUTH_TEXTS } from './texts.ts'

/** Two spellings of one address or name are one account. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase()
export const normalizeUsername = (username: string): string => username.trim().normalize('NFKC').toLowerCase()

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_OR_BIDI = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u

const Username = z
  .string({ error: 'Username is required.' })
  .trim()
  .min(USERNAME_MIN, `Username must be at least ${USERNAME_MIN} characters.`)
  .max(USERNAME_MAX, `Username must be at most ${USERNAME_MAX} characters.`)
  .refine(
    (name) => !CONTROL_OR_BIDI.test(name) && name.isWellFormed(),
    'Username contains characters that cannot be shown.',
  )

export const Email = z
  .string({ error: 'Email is required.' })
  .transform(normalizeEmail)
  .pipe(
    z
      .email('Please enter a whole email address.')
      .max(EMAIL_MAX, 'This email address is too long.')
      .refine((email) => email.endsWith(REQUIRED_EMAIL_DOMAIN), `Email must be a ${REQUIRED_EMAIL_DOMAIN} address.`),
  )

export const Password = z
  .string({ error: 'Password is required.' })
  .min(PASSWORD_MIN, `Password must be at least ${PASSWORD_MIN} characters.`)
  .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters.`)

export const RegisterBody = z.object({ username: Username, email: Email, password: Password })
export type RegisterBody = z.infer<typeof RegisterBody>

export const LoginBody = z.object({ email: Email, password: Password })
export type LoginBody = z.infer<typeof LoginBody>

/** What the browser keeps under 'user'. `server` is the base address of the feature calls. */
export const SessionUser = z.object({
  username: z.string(),
  email: z.string(),
  apiKey: z.string(),
  server: z.string(),
})
export type SessionUser = z.infer<typeof SessionUser>

export const LoginAnswer = Answer.extend({ user: SessionUser, token: z.string() })
export type LoginAnswer = z.infer<typeof LoginAnswer>

export const Profile = SessionUser.extend({
  /** True: `apiKey` is empty, since this session has to type the password first (POST /auth/confirm). */
  apiKeyHidden: z.boolean(),
  /** Whether a link sent to the address has come back. */
  emailVerified: z.boolean(),
  createdAt: z.iso.datetime(),
  plan: z.enum(PLAN_IDS),
  credit: z.number(),
  activeSession: z.object({ lastLogin: z.iso.datetime() }),
})
export type Profile = z.infer<typeof Profile>

export const ProfileAnswer = Answer.extend({ data: Profile })
export type ProfileAnswer = z.infer<typeof ProfileAnswer>

export const ApiKeyAnswer = Answer.extend({ apiKey: z.string(), data: z.object({ apiKey: z.string() }) })
export type ApiKeyAnswer = z.infer<typeof ApiKeyAnswer>

/** With the password the session is another one too: anybody who has copied its token is sent away with it. */
export const ChangedPasswordAnswer = ApiKeyAnswer.extend({ token: z.string() })
export type ChangedPasswordAnswer = z.infer<typeof ChangedPasswordAnswer>

/** Instead of a key in the address of what a browser loads by itself: `?ticket=…`. */
export const TicketAnswer = Answer.extend({ data: z.object({ ticket: z.string(), expiresAt: z.iso.datetime() }) })
export type TicketAnswer = z.infer<typeof TicketAnswer>

const CurrentPassword = z
  .string({ error: AUTH_TEXTS.currentPasswordRequired })
  .min(1, AUTH_TEXTS.currentPasswordRequired)
  .max(PASSWORD_MAX, AUTH_TEXTS.currentPasswordWrong)

/** `code`: of the second factor, where there is one. */
export const ChangePasswordBody = z.object({
  currentPassword: CurrentPassword,
  newPassword: Password,
  code: Code.optional(),
})
export type ChangePasswordBody = z.infer<typeof ChangePasswordBody>

/** `trust`: this browser is the owner's own, and is not asked any more. */
export const ConfirmBody = z.object({ password: CurrentPassword, trust: z.boolean().default(false) })
export type ConfirmBody = z.infer<typeof ConfirmBody>

export const ChangeUsernameBody = z.object({ username: Username })
export type ChangeUsernameBody = z.infer<typeof ChangeUsernameBody>

export const UsernameAnswer = Answer.extend({ data: z.object({ username: z.string() }) })
export type UsernameAnswer = z.infer<typeof UsernameAnswer>

/** `confirm`: the username, typed by hand. */
export const DeleteAccountBody = z.object({
  currentPassword: CurrentPassword,
  confirm: z.string({ error: AUTH_TEXTS.confirmWithUsername }),
  code: Code.optional(),
})
export type DeleteAccountBody = z.infer<typeof DeleteAccountBody>

/** One place in which the user is logged in. */
export const OwnSession = z.object({
  id: z.string(),
  /** The browser's own description of itself. */
  device: z.string(),
  address: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  /** The one that asks. */
  current: z.boolean(),
})
export type OwnSession = z.infer<typeof OwnSession>

export const SessionsAnswer = Answer.extend({ data: z.array(OwnSession) })
export type SessionsAnswer = z.infer<typeof SessionsAnswer>

/** A 401 whose message contains one of these ends the session in the browser. */
export const SESSION_END_MARKERS = ['Token expired', 'Token invalidated', 'Session expired'] as const
