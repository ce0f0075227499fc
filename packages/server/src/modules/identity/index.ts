import type { App } from '../../http/types.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Counters } from '../../platform/counters.ts'
import type { Changes } from '../../platform/db/changes.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Timings } from '../../platform/timings.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import { argon2At } from './argon2.ts'
import type { CallerHooks } from './caller-hooks.ts'
import { createDevices } from './devices.service.ts'
import { createGuessGuard } from './guess-guard.ts'
import { CODE_RULES, LOGIN_RULES } from './guess-rules.ts'
import { createIdentityRepo } from './identity.repo.ts'
import { identityRoutes } from './identity.routes.ts'
import { createIdentityService } from './identity.service.ts'
import { createLogins } from './login.service.ts'
import { createMailLinksRepo, type PauseLeftBehind } from './mail-links.repo.ts'
import { ownAccountRoutes } from './own-account.routes.ts'
import { createOwnAccountService } from './own-account.service.ts'
import { createPageTickets } from './page-tickets.ts'
import { createPasswords } from './passwords.ts'
import { recoveryRoutes } from './recovery.routes.ts'
import { createRecovery } from './recovery.service.ts'
import { createRememberedCallers } from './remembered-callers.ts'
import { createSecondFactorRepo } from './second-factor.repo.ts'
import { secondFactorRoutes } from './second-factor.routes.ts'
import { createSecondFactor } from './second-factor.service.ts'

export interface IdentityDeps {
  db: Db
  sealer: Sealer
  clock: Clock
  log: Log
  timings: Pick<Timings, 'passwordCost' | 'callerMemoryMs'>
  changes: Pick<Changes, 'of'>
  publicUrl: string | null
  /** As an authenticator app calls us. */
  brand: string
  /** Null: the operator has no mail server. */
  mailer: Mailer | null
  activity: Pick<ActivityService, 'record'>
  pauseLeftBehind: PauseLeftBehind
}

export function createIdentity({ db, changes, publicUrl, mailer, ...deps }: IdentityDeps) {
  const repo = createIdentityRepo(db)
  const callers = createRememberedCallers({ db, changes, lifeMs: deps.timings.callerMemoryMs })
  const passwords = createPasswords(argon2At(deps.timings.passwordCost))
  const devices = createDevices({ ...deps, repo })
  const tickets = createPageTickets({ ...deps, repo })
  const recovery = createRecovery({
    ...deps,
    repo,
    passwords,
    devices,
    links: createMailLinksRepo(db),
    mail: mailer && publicUrl !== null ? { mailer, publicUrl } : null,
  })
  const secondFactor = createSecondFactor({ ...deps, repo: createSecondFactorRepo(db), users: repo, recovery })
  const logins = createLogins({ ...deps, repo, passwords, devices, secondFactor, recovery })
  const service = createIdentityService({ ...deps, repo, callers, passwords, devices, secondFactor, tickets, recovery })
  const ownAccount = createOwnAccountService({ ...deps, repo, passwords, devices, secondFactor, recovery })
  const guardsOf = (counters: Counters) => ({
    logins: createGuessGuard({
      counters,
      name: 'login',
      rules: LOGIN_RULES,
      wrong: 'wrong_credentials',
      async knownBy(email, visitor) {
        const user = await repo.userByEmail(email)
        return user && devices.knownBy(user.id, visitor)
      },
    }),
    codes: createGuessGuard({
      ...{ counters, name: 'code', rules: CODE_RULES, knownBy: devices.knownBy },
      wrong: 'second_factor_wrong',
    }),
  })
  return {
    service,
    ownAccount,
    /** What a user's row says of the plan, as callers are remembered. */
    planOf: callers.planOf,
    /** The rows of users, for who stands above all that a user has. */
    users: repo,
    routes: (hooks: CallerHooks) =>
      async function routes(app: App): Promise<void> {
        await app.register(identityRoutes({ service, logins, tickets, hooks, publicUrl, guardsOf }))
        await app.register(ownAccountRoutes({ service: ownAccount, hooks, publicUrl }))
        await app.register(recoveryRoutes({ service: recovery, hooks, publicUrl }))
        await app.register(secondFactorRoutes({ service: secondFactor, ownAccount, hooks }))
      },
  }
}
