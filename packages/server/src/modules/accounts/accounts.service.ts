import { randomUUID } from 'node:crypto'
import type { Account, AccountKind } from '@siarin/contracts/accounts'
import { ACCOUNT_TEXTS } from '@siarin/contracts/texts'
import { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import type { Caller, Visitor } from '../../http/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { uniqueViolation } from '../../platform/db/database.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import type { AccountRow, AccountsRepo } from './accounts.repo.ts'
import { maskToken } from './mask-token.ts'

export interface NewAccount {
  readonly kind: AccountKind
  readonly name: string
  /** The siteId of Bigo or the token of TikTok. */
  readonly credential: string
}

/** For the modules that speak with the platforms, and for nobody outside. */
export interface OwnAccount {
  readonly id: string
  readonly name: string
  readonly credential: Secret
}

/**
 * Asks the platform about an account before it is kept, and answers what the person is told. Throws where the platform
 * says that there is no such account; one that cannot be asked forbids nothing.
 */
export type CheckAccount = (kind: AccountKind, credential: Secret) => Promise<string>

export interface AccountsService {
  add(caller: Caller, account: NewAccount, visitor: Visitor): Promise<{ account: Account; message: string }>
  list(caller: Caller, kind: AccountKind): Promise<Account[]>
  remove(caller: Caller, kind: AccountKind, accountId: string, visitor: Visitor): Promise<void>
  withCredentials(userId: string, kind: AccountKind): Promise<OwnAccount[]>
  find(userId: string, kind: AccountKind, accountId: string): Promise<OwnAccount | null>
}

interface AccountsServiceDeps {
  repo: AccountsRepo
  sealer: Sealer
  clock: Clock
  activity: Pick<ActivityService, 'record'>
  check: CheckAccount
  /** Whether a broadcast relays the room of this account. */
  isInUse: (accountId: string) => Promise<boolean>
}

const ACCOUNTS_MAX = 50
const LABELS: Record<AccountKind, string> = { bigo: 'Bigo', tiktok: 'TikTok' }

export function createAccountsService(deps: AccountsServiceDeps): AccountsService {
  const { repo, sealer, clock, activity, check, isInUse } = deps
  function toAccount(row: AccountRow): Account {
    const credential = sealer.open(row.credential_sealed).reveal()
    return {
      platform: row.platform as AccountKind,
      account_id: row.id,
      name: row.name,
      credentials: row.platform === 'tiktok' ? { token: maskToken(credential) } : { siteId: credential },
      createdAt: new Date(row.created_at).toISOString(),
    }
  }

  const toOwn = ({ id, name, credential_sealed }: AccountRow): OwnAccount => ({
    id,
    name,
    credential: sealer.open(credential_sealed),
  })

  const record = (kind: 'account-added' | 'account-removed', row: AccountRow, visitor: Visitor): Promise<void> =>
    activity.record({
      userId: row.user_id,
      kind,
      visitor,
      detail: `${row.name} · ${LABELS[row.platform as AccountKind]}`,
    })

  return {
    async add({ userId }, { kind, name, credential }, visitor) {
      if ((await repo.count(userId, kind)) >= ACCOUNTS_MAX) {
        throw new DomainError('account_limit_reached', ACCOUNT_TEXTS.limit(ACCOUNTS_MAX))
      }
      const secret = new Secret(credential)
      const mark = sealer.mark(secret)
      if (await repo.hasCredential(userId, kind, mark)) throw new DomainError('account_exists', ACCOUNT_TEXTS.exists)
      const message = await check(kind, secret)
      const row = {
        id: randomUUID(),
        user_id: userId,
        platform: kind,
        name,
        credential_sealed: sealer.seal(secret),
        credential_mark: mark,
        created_at: clock.now(),
      }
      try {
        await repo.insert(row)
      } catch (error) {
        if (!uniqueViolation(error)?.includes('credential')) throw error
        throw new DomainError('account_exists', ACCOUNT_TEXTS.exists)
      }
      await record('account-added', row, visitor)
      return { account: toAccount(row), message }
    },

    async list({ userId }, kind) {
      return (await repo.ofUser(userId, kind)).map(toAccount)
    },

    async remove({ userId }, kind, accountId, visitor) {
      // Without it a relay that breaks would find no way back to its room.
      if ((await repo.byId(userId, kind, accountId)) && (await isInUse(accountId))) {
        throw new DomainError('account_in_use', ACCOUNT_TEXTS.inUse)
      }
      const row = await repo.remove(userId, kind, accountId)
      if (!row) throw new DomainError('not_found', ACCOUNT_TEXTS.notFound)
      await record('account-removed', row, visitor)
    },

    async withCredentials(userId, kind) {
      return (await repo.ofUser(userId, kind)).map(toOwn)
    },

    async find(userId, kind, accountId) {
      const row = await repo.byId(userId, kind, accountId)
      return row && toOwn(row)
    },
  }
}
