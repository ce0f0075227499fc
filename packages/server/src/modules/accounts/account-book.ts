import type { AccountKind } from '@siarin/contracts/accounts'
import type { Secret } from '@siarin/media/secret'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { AccountRow, AccountsRepo } from './accounts.repo.ts'

/** For the modules that speak with the platforms, and for nobody outside. */
interface OwnAccount {
  readonly id: string
  readonly name: string
  readonly credential: Secret
}

export interface AccountBook {
  withCredentials(workspaceId: string, kind: AccountKind): Promise<OwnAccount[]>
  find(workspaceId: string, kind: AccountKind, accountId: string): Promise<OwnAccount | null>
}

interface AccountBookDeps {
  repo: Pick<AccountsRepo, 'ofUser' | 'byId'>
  sealer: Pick<Sealer, 'open'>
}

export function accountBook({ repo, sealer }: AccountBookDeps): AccountBook {
  const toOwn = ({ id, name, credential_sealed }: AccountRow): OwnAccount => ({
    id,
    name,
    credential: sealer.open(credential_sealed),
  })
  return {
    async withCredentials(workspaceId, kind) {
      return (await repo.ofUser(workspaceId, kind)).map(toOwn)
    },
    async find(workspaceId, kind, accountId) {
      const row = await repo.byId(workspaceId, kind, accountId)
      return row && toOwn(row)
    },
  }
}
