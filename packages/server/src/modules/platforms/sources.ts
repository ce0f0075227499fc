import { ONLINE_URL_MAX } from '@siarin/contracts/limits'
import { ACCOUNT_TEXTS, ONLINE_TEXTS } from '@siarin/contracts/texts'
import { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { AccountBook } from '../accounts/account-book.ts'
import type { BigoRooms } from './bigo-rooms.ts'
import type { OnlineRepo } from './online.repo.ts'
import { sourceFault } from './source-faults.ts'

/** An online source as a stream keeps it: a room gets a new address with every broadcast of its own. */
export type OnlineRef =
  | { readonly kind: 'hls'; readonly url: Secret; readonly name: string }
  | { readonly kind: 'bigo'; readonly accountId: string; readonly name: string }

type Located =
  | { readonly state: 'live'; readonly url: URL }
  | { readonly state: 'offline' | 'unknown' | 'blocked' | 'unreachable' }

export interface OnlineSources {
  /** What a user has named, if it may be a source of theirs. Where its address leads is judged when it is opened. */
  find(workspaceId: string, named: { url: string; accountId?: string | undefined }): Promise<OnlineRef>
  /** Where it plays now. An HLS address is not opened for this. */
  locate(workspaceId: string, ref: OnlineRef): Promise<Located>
}

interface OnlineSourcesDeps {
  accounts: AccountBook
  rooms: BigoRooms
  repo: Pick<OnlineRepo, 'byMark'>
  egress: Pick<Egress, 'parse'>
  sealer: Sealer
}

/** An address in the one form in which it is kept and known again. */
export function parseSourceUrl(egress: Pick<Egress, 'parse'>, text: string): URL {
  try {
    const url = egress.parse(text)
    url.hash = ''
    if (url.href.length > ONLINE_URL_MAX) throw new DomainError('source_invalid', ONLINE_TEXTS.urlTooLong)
    return url
  } catch (error) {
    throw sourceFault(error)
  }
}

export function createOnlineSources({ accounts, rooms, repo, egress, sealer }: OnlineSourcesDeps): OnlineSources {
  return {
    async find(workspaceId, { url: typed, accountId }) {
      if (accountId) {
        const account = await accounts.find(workspaceId, 'bigo', accountId)
        if (!account) throw new DomainError('not_found', ACCOUNT_TEXTS.notFound)
        const { nickname } = await rooms.ask(account.credential.reveal())
        return { kind: 'bigo', accountId, name: nickname ?? account.name }
      }
      const url = parseSourceUrl(egress, typed)
      const secret = new Secret(url.href)
      const saved = await repo.byMark(workspaceId, sealer.mark(secret))
      return { kind: 'hls', url: secret, name: saved?.name ?? url.host }
    },

    async locate(workspaceId, ref) {
      if (ref.kind === 'hls') return { state: 'live', url: new URL(ref.url.reveal()) }
      const account = await accounts.find(workspaceId, 'bigo', ref.accountId)
      if (!account) return { state: 'unknown' }
      const { state, url } = await rooms.ask(account.credential.reveal())
      if (state !== 'live') return { state }
      return url ? { state, url } : { state: 'offline' }
    },
  }
}
