import type { OnlineStream } from '@siarin/contracts/online'
import type { AccountBook } from '../accounts/account-book.ts'
import type { Caller } from '../identity/caller.ts'
import type { BigoRooms } from './bigo-rooms.ts'
import type { PreviewsOf } from './preview-tickets.ts'

export interface BigoService {
  /** The rooms of all of the caller's accounts, live or not. */
  rooms(caller: Caller): Promise<OnlineStream[]>
}

interface BigoServiceDeps {
  accounts: AccountBook
  rooms: BigoRooms
  previewsOf: PreviewsOf
}

export function createBigoService({ accounts, rooms, previewsOf }: BigoServiceDeps): BigoService {
  return {
    async rooms({ userId, workspaceId }) {
      const own = await accounts.withCredentials(workspaceId, 'bigo')
      const found = await rooms.askAll(own.map(({ credential }) => credential.reveal()))
      const previewOf = await previewsOf(userId)
      return own.flatMap(({ id, name, credential }, index): OnlineStream[] => {
        const room = found[index]
        if (!room) return []
        const url = room.state === 'live' ? room.url : null
        return [
          {
            streamUrl: url?.href ?? '',
            previewUrl: url && previewOf(url),
            nickname: room.nickname ?? name,
            isLive: url !== null,
            siteId: credential.reveal(),
            account_id: id,
            state: room.state,
            message: room.message,
          },
        ]
      })
    },
  }
}
