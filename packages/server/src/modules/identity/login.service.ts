import { randomUUID } from 'node:crypto'
import type { LoginBody, SessionUser } from '@siarin/contracts/auth'
import { SECOND_FACTOR_TEXTS } from '@siarin/contracts/auth-texts'
import type { LoginCodeBody } from '@siarin/contracts/second-factor'
import { AUTH_TEXTS } from '@siarin/contracts/texts'
import { z } from 'zod'
import { DomainError } from '../../errors.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { createTickets } from '../../platform/secrets/tickets.ts'
import { hashToken, newToken } from '../../platform/secrets/tokens.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import type { Devices } from './devices.service.ts'
import type { IdentityRepo } from './identity.repo.ts'
import { knownTo, type Passwords, stranger } from './passwords.ts'
import type { Recovery } from './recovery.service.ts'
import type { SecondFactor } from './second-factor.service.ts'
import type { UserRow } from './users.repo.ts'

interface LoginDeps {
  repo: IdentityRepo
  passwords: Passwords
  sealer: Sealer
  clock: Clock
  activity: Pick<ActivityService, 'record'>
  devices: Devices
  secondFactor: Pick<SecondFactor, 'isOn' | 'assertCode'>
  recovery: Pick<Recovery, 'tellNewDevice'>
}

export interface LoggedIn {
  readonly user: Omit<SessionUser, 'server'>
  readonly token: string
  /** For the browser to keep. */
  readonly deviceToken: string
}

/** The password was right, and a code is asked for: there is no session yet. */
export interface Challenged {
  readonly challenge: string
}

/** What names the account in the first or the second step of a login. */
export type LoginOrCode = Partial<Pick<LoginBody, 'email'> & Pick<LoginCodeBody, 'challenge'>>

export type Logins = ReturnType<typeof createLogins>

const CHALLENGE_LIFE_MS = 5 * 60_000

/** Under which password it was given: with another one it counts no more. */
const Challenge = z.object({ challenge: z.string(), password: z.string(), exp: z.number() })

export function createLogins(deps: LoginDeps) {
  const { repo, passwords, sealer, clock, activity, devices, secondFactor, recovery } = deps
  // An unknown e-mail takes as long as a wrong password, so that the time tells nobody which addresses have an account.
  const decoyHash = passwords.hash('nobody has this password', knownTo('nobody'))
  const challenges = createTickets({ sealer, clock, schema: Challenge, lifeMs: CHALLENGE_LIFE_MS, stepMs: 1_000 })
  const wrongCredentials = () => new DomainError('wrong_credentials', AUTH_TEXTS.wrongCredentials)

  async function enter(user: UserRow, visitor: Visitor): Promise<LoggedIn> {
    const token = newToken('st')
    const device = await devices.atLogin(user, visitor)
    const now = clock.now()
    const session = {
      id: randomUUID(),
      user_id: user.id,
      token_hash: hashToken(token.reveal()),
      created_at: now,
      last_seen_at: now,
      ended_at: null,
      address: visitor.address,
      device: visitor.device,
      device_id: device.id,
      confirmed_at: now,
    }
    // Hashing takes its time: what was right when it was looked up may not be any more.
    if (!(await repo.openSession(session, user.password_hash))) throw wrongCredentials()
    await activity.record({ userId: user.id, kind: 'login', visitor })
    if (device.isNew && !device.isFirst) await recovery.tellNewDevice(user, visitor)
    const apiKey = sealer.open(user.api_key_sealed).reveal()
    return {
      user: { username: user.username, email: user.email, apiKey },
      token: token.reveal(),
      deviceToken: device.token,
    }
  }

  /** Who has given the right password for this challenge, which is still theirs. */
  async function challenged(challenge: string): Promise<UserRow | null> {
    const ticket = challenges.read(challenge)
    const user = ticket && (await repo.userById(ticket.challenge))
    if (!user || user.deleting_at !== null || ticket.exp < clock.now()) return null
    return hashToken(user.password_hash) === ticket.password ? user : null
  }

  return {
    /** `isKnown`: to this account, from before. */
    async login({ email, password }: LoginBody, visitor: Visitor, isKnown: boolean): Promise<LoggedIn | Challenged> {
      const found = await repo.userByEmail(email)
      const user = found?.deleting_at === null ? found : null
      const applicant = user && isKnown ? knownTo(user.id) : stranger(visitor)
      const matches = await passwords.matches(user?.password_hash ?? (await decoyHash), password, applicant)
      if (!user || !matches) {
        if (user) await activity.record({ userId: user.id, kind: 'login-failed', visitor, failed: true })
        throw wrongCredentials()
      }
      if (!(await secondFactor.isOn(user.id))) return enter(user, visitor)
      // A visitor with the right password and no code learns that silently; the owner should not.
      await activity.record({ userId: user.id, kind: 'second-factor-asked', visitor })
      const exp = challenges.expiry()
      return { challenge: challenges.seal({ challenge: user.id, password: hashToken(user.password_hash), exp }) }
    },

    /**
     * Whose challenge it is, for code that counts tries; the challenge itself where it does not count: an old one that somebody has kept
     * must not use up the owner's tries.
     */
    /** Whether the browser has logged in to this account before: who shares an address with many does not wait for them. */
    async isKnownBrowser({ email, challenge = '' }: LoginOrCode, visitor: Visitor): Promise<boolean> {
      if (!visitor.deviceToken) return false
      const user = email === undefined ? await challenged(challenge) : await repo.userByEmail(email)
      return !!user && (await devices.knownDevice(user.id, visitor)) !== null
    },

    accountOf: async (challenge: string): Promise<string> => (await challenged(challenge))?.id ?? challenge,

    async loginWithCode({ challenge, code }: LoginCodeBody, visitor: Visitor): Promise<LoggedIn> {
      const user = await challenged(challenge)
      if (!user) throw new DomainError('session_ended', SECOND_FACTOR_TEXTS.challengeEnded)
      await secondFactor.assertCode(user.id, code, visitor)
      return enter(user, visitor)
    },
  }
}
