import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { OwnAccountService } from '../identity/own-account.service.ts'
import { accountRemovalRoutes } from './account-removal.routes.ts'
import { createAccountRemoval } from './account-removal.ts'

type RemovalDeps = Parameters<typeof createAccountRemoval>[0]

export interface AccountRemovalDeps extends RemovalDeps {
  ownAccount: Pick<OwnAccountService, 'assertMayDelete'>
}

/** Stands above every module that keeps something for a user. */
export function createAccountRemovals({ ownAccount, ...deps }: AccountRemovalDeps) {
  const removal = createAccountRemoval(deps)
  return {
    routes: (hooks: CallerHooks) => accountRemovalRoutes({ ownAccount, removal, hooks }),
    /** For the worker role: finishes what a crash has left of accounts that were being deleted. */
    start: removal.start,
    stop: removal.stop,
  }
}
