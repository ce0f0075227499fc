import { Answer } from '@siarin/contracts/answers'
import { DeleteAccountBody } from '@siarin/contracts/auth'
import { AUTH_TEXTS } from '@siarin/contracts/texts'
import type { App } from '../../http/types.ts'
import { visitorOf } from '../../http/visitor.ts'
import { sessionCallerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { OwnAccountService } from '../identity/own-account.service.ts'
import { ownAccountLimits } from '../identity/own-account-limits.ts'
import type { AccountRemoval } from './account-removal.ts'

interface AccountRemovalRoutesDeps {
  ownAccount: Pick<OwnAccountService, 'assertMayDelete'>
  removal: Pick<AccountRemoval, 'remove'>
  hooks: CallerHooks
}

export const accountRemovalRoutes = ({ ownAccount, removal, hooks }: AccountRemovalRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    const { preHandler, judged } = ownAccountLimits(app)

    app.delete(
      '/auth/profile',
      {
        schema: {
          summary: 'Delete the account with everything in it',
          tags: ['auth'],
          body: DeleteAccountBody,
          response: { 200: Answer },
        },
        // Before validation: who is not logged in hears that first.
        preValidation: hooks.requireSession,
        preHandler,
      },
      async (request) => {
        const caller = sessionCallerOf(request)
        await judged(request, () => ownAccount.assertMayDelete(caller, request.body, visitorOf(request)))
        const gone = await removal.remove(caller.userId)
        return { success: true, message: gone ? AUTH_TEXTS.accountDeleted : AUTH_TEXTS.accountBeingDeleted }
      },
    )
  }
