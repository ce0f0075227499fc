import { randomUUID } from 'node:crypto'
import type { Account, AccountKind } from '@siarin/contracts/accounts'
import { ACCOUNT_TEXTS } from '@siarin/contracts/texts'
import { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Clock } from '../../platform/clock.ts'
import { uniqueViolation } from '../../platform/db/database.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import type { Caller } from '../identity/caller.ts'
import type { AccountRow, AccountsRepo } from './accounts.repo.ts'
import { maskToken } from './mask-token.ts'

export interface NewAccount {
  readonly kind: AccountKind
  readonly name: string
  /** The siteId of Bigo or the token of TikTok. */
  readonly credential: string
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
const tooMany = () => new DomainError('account_limit_reached', ACCOUNT_TEXTS.limit(ACCOUNTS_MAX))
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

  const record = (
    { userId }: Caller,
    kind: 'account-added' | 'account-removed',
    row: AccountRow,
    visitor: Visitor,
  ): Promise<void> =>
    activity.record({
      userId,
      kind,
      visitor,
      detail: `${row.name} · ${LABELS[row.platform as AccountKind]}`,
    })

  return {
    async add(caller, { kind, name, credential }, visitor) {
      const { workspaceId } = caller
      // Before a platform is asked; what counts is asked again where the row is written.
      if ((await repo.count(workspaceId, kind)) >= ACCOUNTS_MAX) throw tooMany()
      const secret = new Secret(credential)
      const mark = sealer.mark(secret)
      if (await repo.hasCredential(workspaceId, kind, mark))
        throw new DomainError('account_exists', ACCOUNT_TEXTS.exists)
      const message = await check(kind, secret)
      const row = {
        id: randomUUID(),
        user_id: workspaceId,
        platform: kind,
        name,
        credential_sealed: sealer.seal(secret),
        credential_mark: mark,
        created_at: clock.now(),
      }
      const isKept = await repo.insertWithin(row, ACCOUNTS_MAX).catch((error) => {
        if (!uniqueViolation(error)?.includes('credential')) throw error
        throw new DomainError('account_exists', ACCOUNT_TEXTS.exists)
      })
      if (!isKept) throw tooMany()
      await record(caller, 'account-added', row, visitor)
      return { account: toAccount(row), message }
    },

    async list({ workspaceId }, kind) {
      return (await repo.ofUser(workspaceId, kind)).map(toAccount)
    },

    async remove(caller, kind, accountId, visitor) {
      const { workspaceId } = caller
      // Without it a relay that breaks would find no way back to its room.
      if ((await repo.byId(workspaceId, kind, accountId)) && (await isInUse(accountId))) {
        throw new DomainError('account_in_use', ACCOUNT_TEXTS.inUse)
      }
      const row = await repo.remove(workspaceId, kind, accountId)
      if (!row) throw new DomainError('not_found', ACCOUNT_TEXTS.notFound)
      await record(caller, 'account-removed', row, visitor)
    },
  }
}
