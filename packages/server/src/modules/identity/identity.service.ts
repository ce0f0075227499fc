import { randomUUID } from 'node:crypto'
import type { OwnSession, Profile, RegisterBody } from '@siarin/contracts/auth'
import { normalizeUsername } from '@siarin/contracts/auth'
import type { PlanId } from '@siarin/contracts/plans'
import { AUTH_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Clock } from '../../platform/clock.ts'
import { uniqueViolation } from '../../platform/db/database.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import { freshApiKey } from './api-keys.ts'
import type { Caller, SessionCaller } from './caller.ts'
import type { Gatekeeper } from './caller-hooks.ts'
import { assertHardToGuess } from './common-passwords.ts'
import type { Devices } from './devices.service.ts'
import { createGatekeeper } from './gatekeeper.ts'
import type { IdentityRepo } from './identity.repo.ts'
import type { createPageTickets } from './page-tickets.ts'
import { type Passwords, stranger } from './passwords.ts'
import type { Recovery } from './recovery.service.ts'
import type { RememberedCallers } from './remembered-callers.ts'
import type { SecondFactor } from './second-factor.service.ts'
import { ABSOLUTE_MS, IDLE_MS } from './session-rules.ts'
import type { UserRow } from './users.repo.ts'

export interface IdentityService extends Gatekeeper {
  register(body: RegisterBody, visitor: Visitor): Promise<void>
  logout(caller: SessionCaller, visitor: Visitor): Promise<void>
  profile(caller: SessionCaller, visitor: Visitor): Promise<Omit<Profile, 'server'>>
  /** `code`: of the second factor, where there is one. */
  changeApiKey(caller: SessionCaller, code: string | undefined, visitor: Visitor): Promise<string>
  /** Where the caller is logged in, last used first. */
  sessions(caller: SessionCaller): Promise<OwnSession[]>
  endSession(caller: SessionCaller, sessionId: string, visitor: Visitor): Promise<void>
}

interface IdentityServiceDeps {
  repo: IdentityRepo
  callers: RememberedCallers
  passwords: Passwords
  sealer: Sealer
  clock: Clock
  activity: Pick<ActivityService, 'record'>
  devices: Devices
  secondFactor: Pick<SecondFactor, 'assertCode'>
  tickets: ReturnType<typeof createPageTickets>
  recovery: Pick<Recovery, 'welcome'>
}

const SESSIONS_SHOWN = 20

export function createIdentityService(deps: IdentityServiceDeps): IdentityService {
  const { callers, repo, sealer, clock, activity, devices, secondFactor, tickets } = deps
  const apiKeyOf = (user: UserRow): string => sealer.open(user.api_key_sealed).reveal()

  async function userOf(caller: Caller): Promise<UserRow> {
    const user = await repo.userById(caller.userId)
    if (!user) throw new DomainError('session_ended', AUTH_TEXTS.sessionUnknown)
    return user
  }

  return {
    ...createGatekeeper({ callers, repo, clock, devices, tickets }),
    register: createRegister(deps),

    async logout(caller, visitor) {
      await repo.endSession(caller.userId, caller.sessionId, clock.now())
      await activity.record({ userId: caller.userId, kind: 'logout', visitor })
    },

    async profile(caller, visitor) {
      const user = await userOf(caller)
      const proved = await devices.isProved(caller, visitor)
      const lastLoginAt = (await repo.lastLoginAt(user.id)) ?? user.created_at
      return {
        username: user.username,
        email: user.email,
        apiKey: proved ? apiKeyOf(user) : '',
        apiKeyHidden: !proved,
        emailVerified: user.email_verified_at !== null,
        createdAt: new Date(user.created_at).toISOString(),
        plan: user.plan as PlanId,
        credit: user.credit,
        activeSession: { lastLogin: new Date(lastLoginAt).toISOString() },
      }
    },

    async changeApiKey(caller, code, visitor) {
      await devices.assertProved(caller, visitor)
      await secondFactor.assertCode(caller.userId, code, visitor)
      const fresh = freshApiKey(sealer)
      if (!(await repo.changeApiKey(caller, fresh))) {
        throw new DomainError('session_ended', AUTH_TEXTS.tokenInvalidated)
      }
      await activity.record({ userId: caller.userId, kind: 'api-key-changed', visitor })
      return sealer.open(fresh.api_key_sealed).reveal()
    },

    async sessions(caller) {
      const now = clock.now()
      const rows = await repo.openSessions(caller.userId, now - IDLE_MS, now - ABSOLUTE_MS, SESSIONS_SHOWN)
      return rows.map((row) => ({
        id: row.id,
        device: row.device,
        address: row.address,
        createdAt: new Date(row.created_at).toISOString(),
        lastSeenAt: new Date(row.last_seen_at).toISOString(),
        current: row.id === caller.sessionId,
      }))
    },

    async endSession(caller, sessionId, visitor) {
      if (!(await repo.endSession(caller.userId, sessionId, clock.now()))) {
        throw new DomainError('not_found', AUTH_TEXTS.sessionNotFound)
      }
      await activity.record({ userId: caller.userId, kind: 'session-ended', visitor })
    },
  }
}

function createRegister(deps: IdentityServiceDeps): IdentityService['register'] {
  const { repo, passwords, sealer, clock, activity, recovery } = deps
  return async ({ username, email, password }, visitor) => {
    const usernameKey = normalizeUsername(username)
    await assertHardToGuess(password, { username, email })
    if (await repo.userByEmail(email)) throw new DomainError('email_taken', AUTH_TEXTS.emailTaken)
    if (await repo.isUsernameTaken(usernameKey)) throw new DomainError('username_taken', AUTH_TEXTS.usernameTaken)
    const id = randomUUID()
    const user = {
      id,
      username,
      username_key: usernameKey,
      email,
      password_hash: await passwords.hash(password, stranger(visitor)),
      ...freshApiKey(sealer),
      created_at: clock.now(),
    }
    try {
      await repo.insertUser(user)
    } catch (error) {
      // Two people were as quick as each other: the constraint decides, not the questions above.
      const constraint = uniqueViolation(error)
      if (constraint?.includes('username')) throw new DomainError('username_taken', AUTH_TEXTS.usernameTaken)
      if (constraint?.includes('email')) throw new DomainError('email_taken', AUTH_TEXTS.emailTaken)
      throw error
    }
    await activity.record({ userId: id, kind: 'registered', visitor })
    await recovery.welcome(user)
  }
}
