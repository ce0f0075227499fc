import { ACCOUNT_TEXTS, BIGO_TEXTS, TIKTOK_TEXTS } from '@siarin/contracts/texts'
import type { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import type { CheckAccount } from '../accounts/accounts.service.ts'
import type { BigoRooms } from './bigo-rooms.ts'
import type { StreamlabsClient } from './streamlabs-client.ts'

interface AccountCheckDeps {
  rooms: BigoRooms
  streamlabs: Pick<StreamlabsClient, 'info'>
}

export function createAccountCheck({ rooms, streamlabs }: AccountCheckDeps): CheckAccount {
  async function checkBigo(siteId: Secret): Promise<string> {
    const { state } = await rooms.ask(siteId.reveal())
    if (state === 'unknown') throw new DomainError('account_unknown', BIGO_TEXTS.unknown)
    return state === 'live' || state === 'offline' ? ACCOUNT_TEXTS.added : BIGO_TEXTS.addedUnchecked
  }

  async function checkTikTok(token: Secret): Promise<string> {
    const info = await streamlabs.info(token)
    if (info.ok) return info.value.canBeLive ? ACCOUNT_TEXTS.added : TIKTOK_TEXTS.addedNotAllowed
    switch (info.fault) {
      case 'token-invalid':
        throw new DomainError('account_unknown', TIKTOK_TEXTS.tokenInvalid)
      case 'scope-missing':
        throw new DomainError('account_unknown', TIKTOK_TEXTS.scopeMissing)
      // Such an account exists; whether it may go live is for TikTok to say when it does.
      case 'banned':
      case 'no-live-auth':
        return TIKTOK_TEXTS.addedNotAllowed
      case 'already-live':
        return ACCOUNT_TEXTS.added
      default:
        return TIKTOK_TEXTS.addedUnchecked
    }
  }

  return (kind, credential) => (kind === 'bigo' ? checkBigo(credential) : checkTikTok(credential))
}
