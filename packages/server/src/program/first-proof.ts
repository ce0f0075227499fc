import type { LeftBehind } from '@siarin/contracts/left-behind'
import { countAccountsOf } from '../modules/accounts/accounts.repo.ts'
import { switchOffChannelsOf } from '../modules/alerts/channels.repo.ts'
import { tellOfLeftBehind } from '../modules/alerts/left-behind.ts'
import { countWantedBroadcastsOf } from '../modules/broadcasts/store/wanted-streams.ts'
import { pauseSchedulesOf } from '../modules/schedules/left-behind.ts'
import { countTargetsOf } from '../modules/targets/targets.repo.ts'
import { pauseEndpointsOf } from '../modules/webhooks/endpoint-states.ts'
import type { Db } from '../platform/db/database.ts'

/**
 * Pauses all that tells others or goes on air by itself, in the transaction that gives the account to the owner of its mailbox: somebody
 * else may have registered with that address and left it there. Nothing is removed, and what is on air stays: it may have been the owner all
 * along, who never verified the address. Its owner reads what there is.
 */
export async function pauseLeftBehind(inside: Db, userId: string, now: number): Promise<LeftBehind> {
  const left = {
    webhooks: await pauseEndpointsOf(inside, userId),
    channels: await switchOffChannelsOf(inside, userId, now),
    schedules: await pauseSchedulesOf(inside, userId, now),
    targets: await countTargetsOf(inside, userId),
    accounts: await countAccountsOf(inside, userId),
    broadcasts: await countWantedBroadcastsOf(inside, userId),
  }
  await tellOfLeftBehind(inside, userId, { left, now })
  return left
}
