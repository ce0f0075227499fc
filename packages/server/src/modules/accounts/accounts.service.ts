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

export interface AccountsService {
  add(caller: Caller, account: NewAccount, visitor: Visitor): Promise<Account>
  list(caller: Caller, kind: AccountKind): Promise<Account[]>
  remove(caller: Caller, kind: AccountKind, accountId: string, visitor: Visitor): Promise<void>
}

interface AccountsServiceDeps {
  repo: AccountsRepo
  sealer: Sealer
  clock: Clock
  activity: Pick<ActivityService, 'record'>
}

const ACCOUNTS_MAX = 50
const LABELS: Record<AccountKind, string> = { bigo: 'Bigo', tiktok: 'TikTok' }

export function createAccountsService({ repo, sealer, clock, activity }: AccountsServiceDeps): AccountsService {
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
      const row = {
        id: randomUUID(),
        user_id: userId,
        platform: kind,
        name,
        credential_sealed: sealer.seal(secret),
        credential_mark: sealer.mark(secret),
        created_at: clock.now(),
      }
      try {
        await repo.insert(row)
      } catch (error) {
        if (!uniqueViolation(error)?.includes('credential')) throw error
        throw new DomainError('account_exists', ACCOUNT_TEXTS.exists)
      }
      await record('account-added', row, visitor)
      return toAccount(row)
    },

    async list({ userId }, kind) {
      return (await repo.ofUser(userId, kind)).map(toAccount)
    },

    async remove({ userId }, kind, accountId, visitor) {
      const row = await repo.remove(userId, kind, accountId)
      if (!row) throw new DomainError('not_found', ACCOUNT_TEXTS.notFound)
      await record('account-removed', row, visitor)
    },
  }
}
