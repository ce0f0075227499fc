import { RECOVERY_TEXTS } from '@siarin/contracts/auth-texts'
import { leftBehindText } from '@siarin/contracts/left-behind'
import type { ResetPasswordBody } from '@siarin/contracts/recovery'
import { DomainError } from '../../errors.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Counters, createLocalCounters } from '../../platform/counters.ts'
import type { Log } from '../../platform/log.ts'
import { mailboxOf } from '../../platform/mail/mailbox.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { hashToken, newToken } from '../../platform/secrets/tokens.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import { freshApiKey } from './api-keys.ts'
import type { Caller } from './caller.ts'
import { assertHardToGuess } from './common-passwords.ts'
import type { Devices, SeenDevice } from './devices.service.ts'
import type { IdentityRepo } from './identity.repo.ts'
import { passwordChangedLetter, resetLetter, verifyLetter } from './letters.ts'
import type { LinkKind, MailLinksRepo, PauseLeftBehind } from './mail-links.repo.ts'
import { createNotices, type Mail } from './notices.ts'
import { knownTo, type Passwords } from './passwords.ts'
import type { UserRow } from './users.repo.ts'

interface RecoveryDeps {
  repo: Pick<IdentityRepo, 'userById' | 'userByEmail'>
  links: MailLinksRepo
  passwords: Passwords
  sealer: Sealer
  clock: Clock
  log: Log
  activity: Pick<ActivityService, 'record'>
  devices: Pick<Devices, 'knownBy' | 'knownDevice' | 'afterReset'>
  pauseLeftBehind: PauseLeftBehind
  /** Null: the operator has no mail server, and gives links by hand. */
  mail: Mail | null
  brand: string
}

/** Who opens a link. */
interface Opener {
  readonly visitor: Visitor
  hasSessionOf(userId: string): Promise<boolean>
}

type Recipient = Pick<UserRow, 'id' | 'email'>

export type Recovery = ReturnType<typeof createRecovery>

const MINUTE_MS = 60_000
export const RESET_LINK_MS = 30 * MINUTE_MS
const DAY_MS = 86_400_000
const VERIFY_LINK_MS = 3 * DAY_MS
const RESET_LETTERS_A_DAY = 10
const VERIFICATIONS_A_DAY = 10

/** In the fragment, which no server and no proxy gets to see. */
export const resetAddress = (origin: string, token: string): string => `${origin}/reset-password#${token}`
const verifyAddress = (origin: string, token: string): string => `${origin}/verify-email#${token}`

/** Writes a link down by its hash, and answers what it opens with. */
export async function makeLink(
  links: Pick<MailLinksRepo, 'add'>,
  link: { userId: string; kind: LinkKind; now: number; lifeMs: number },
): Promise<string> {
  const token = newToken('ml').reveal()
  await links.add({ ...link, tokenHash: hashToken(token) })
  return token
}

/**
 * By mailbox: anybody may register with ever more spellings of somebody's address. Its owner has another way to show that it is theirs: a
 * link for a new password.
 */
async function assertMayBeAsked(letters: Counters, email: string): Promise<void> {
  const { count, leftMs } = await letters.add(`verify-day:${mailboxOf(email)}`, DAY_MS)
  if (count <= VERIFICATIONS_A_DAY) return
  const retryAfterSeconds = Math.ceil(leftMs / 1000)
  throw new DomainError('rate_limited', RECOVERY_TEXTS.tooMany(retryAfterSeconds), { retryAfterSeconds })
}

/** What goes by e-mail: to verify an address, to choose a new password, and to hear of what happens to an account. */
export function createRecovery(deps: RecoveryDeps) {
  const { repo, links, passwords, sealer, clock, log, activity, devices, mail, brand } = deps
  const letters = createLocalCounters()
  const sender = { brand, publicUrl: mail?.publicUrl ?? '' }

  const linkFor = ({ id }: Recipient, kind: LinkKind, lifeMs: number): Promise<string> =>
    makeLink(links, { userId: id, kind, now: clock.now(), lifeMs })

  async function sendVerification(user: Recipient): Promise<void> {
    if (!mail) return
    await assertMayBeAsked(letters, user.email)
    const token = await linkFor(user, 'verify', VERIFY_LINK_MS)
    mail.mailer.post(verifyLetter(sender, user.email, verifyAddress(mail.publicUrl, token)))
  }

  /** One a minute, so many a day. What strangers ask for in the owner's name takes nothing from where the owner has been before. */
  async function mayHaveResetLink(userId: string, visitor: Visitor): Promise<boolean> {
    const asker = `${userId} ${(await devices.knownBy(userId, visitor)) === null ? 'stranger' : 'known'}`
    if ((await letters.add(`reset-minute:${asker}`, MINUTE_MS)).count > 1) return false
    return (await letters.add(`reset-day:${asker}`, DAY_MS)).count <= RESET_LETTERS_A_DAY
  }

  async function sendResetLink(email: string, visitor: Visitor): Promise<void> {
    const user = await repo.userByEmail(email)
    if (!mail || !user || user.deleting_at !== null || !(await mayHaveResetLink(user.id, visitor))) return
    const token = await linkFor(user, 'reset', RESET_LINK_MS)
    mail.mailer.post(resetLetter(sender, user.email, resetAddress(mail.publicUrl, token)))
  }

  async function linkOf(token: string, kinds: readonly LinkKind[]): Promise<{ userId: string; kind: LinkKind }> {
    const link = await links.find(hashToken(token), clock.now())
    if (!link || !kinds.includes(link.kind)) throw new DomainError('link_ended', RECOVERY_TEXTS.linkEnded)
    return link
  }

  return {
    ...createNotices({ repo, clock, mail, sender, letters }),
    sendsMail: mail !== null,

    /** Somebody who has just registered is not kept waiting, and not refused, for a mail. */
    async welcome(user: Recipient): Promise<void> {
      await sendVerification(user).catch((error) => {
        if (error instanceof DomainError) log.warn('no verification: its mailbox had as many as it may have in a day')
        else log.error({ err: error }, 'a verification could not be begun')
      })
    },

    /** Not awaited: how long it takes must not tell whether there is such an account; nor is it told whether a letter goes. */
    askReset(email: string, visitor: Visitor): void {
      sendResetLink(email, visitor).catch((error) => log.error({ err: error }, 'a new password could not be begun'))
    },

    async resendVerification({ userId }: Caller): Promise<void> {
      if (!mail) throw new DomainError('not_found', RECOVERY_TEXTS.noMail)
      const user = await repo.userById(userId)
      if (user && user.email_verified_at === null) await sendVerification(user)
    },

    async verify(token: string, { visitor, hasSessionOf }: Opener): Promise<void> {
      const { userId } = await linkOf(token, ['verify'])
      // Anybody can register with anybody's address, and its owner may open the link without a thought. A network address proves nothing:
      // an office or a mobile network shares one.
      const byUser = (await devices.knownDevice(userId, visitor)) !== null || (await hasSessionOf(userId))
      if (!(await links.verify(hashToken(token), { userId, byUser, now: clock.now() }))) {
        throw new DomainError('link_ended', RECOVERY_TEXTS.linkEnded)
      }
      await activity.record({ userId, kind: 'email-verified', visitor: null })
    },

    /** `leftBehind`: what its owner has to know of what was paused; null: nothing was. */
    async reset(
      { token, newPassword }: ResetPasswordBody,
      visitor: Visitor,
    ): Promise<{ device: SeenDevice; leftBehind: string | null }> {
      const link = await linkOf(token, ['reset', 'reset-given'])
      const user = await repo.userById(link.userId)
      if (!user) throw new DomainError('link_ended', RECOVERY_TEXTS.linkEnded)
      await assertHardToGuess(newPassword, user)
      const passwordHash = await passwords.hash(newPassword, knownTo(user.id))
      const { pauseLeftBehind } = deps
      const change = { passwordHash, newKey: freshApiKey(sealer), now: clock.now(), pauseLeftBehind }
      const done = await links.reset(hashToken(token), link, change)
      if (!done) {
        throw new DomainError('link_ended', RECOVERY_TEXTS.linkEnded)
      }
      await activity.record({ userId: user.id, kind: 'password-by-link', visitor })
      const leftBehind = done.left && leftBehindText(done.left)
      mail?.mailer.post(passwordChangedLetter(sender, user.email, { at: clock.now(), leftBehind }))
      return { device: await devices.afterReset(user.id, visitor), leftBehind }
    },
  }
}
