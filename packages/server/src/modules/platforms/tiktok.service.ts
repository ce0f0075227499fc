import { randomUUID } from 'node:crypto'
import type { ErrorCode } from '@siarin/contracts/error-codes'
import type { TikTokTargetBody } from '@siarin/contracts/online'
import { PLATFORM_FACTS } from '@siarin/contracts/platforms'
import { STREAM_TEXTS, TIKTOK_TEXTS } from '@siarin/contracts/texts'
import { rtmpTarget } from '@siarin/media/rtmp-target'
import { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { AccountBook } from '../accounts/account-book.ts'
import type { Caller } from '../identity/caller.ts'
import type { EndAtPlatform } from './broadcast-ender.ts'
import type { BroadcastsRepo } from './broadcasts.repo.ts'
import type { StreamlabsClient, TikTokFault } from './streamlabs-client.ts'

export interface TikTokService {
  /** Begins a broadcast at TikTok and answers where to send it. It is ended there with the stream that goes there. */
  begin(caller: Caller, body: TikTokTargetBody): Promise<{ id: string; rtmpSteam: string }>
}

interface TikTokServiceDeps {
  repo: BroadcastsRepo
  streamlabs: StreamlabsClient
  endAtPlatform: EndAtPlatform
  accounts: AccountBook
  sealer: Sealer
  clock: Clock
}

const DEFAULT_TITLE = 'Live'
const TOKEN = /^[\x21-\x7e]+$/

const FAULTS: Record<TikTokFault, readonly [ErrorCode, string]> = {
  unreachable: ['platform_unreachable', TIKTOK_TEXTS.noAnswer],
  'token-invalid': ['account_unknown', TIKTOK_TEXTS.tokenInvalid],
  'scope-missing': ['account_unknown', TIKTOK_TEXTS.scopeMissing],
  banned: ['platform_refused', TIKTOK_TEXTS.banned],
  'no-live-auth': ['platform_refused', TIKTOK_TEXTS.noLiveAuth],
  'already-live': ['platform_refused', TIKTOK_TEXTS.alreadyLive],
  'rate-limited': ['platform_refused', TIKTOK_TEXTS.rateLimited],
  'target-missing': ['platform_refused', TIKTOK_TEXTS.targetMissing],
  refused: ['platform_refused', TIKTOK_TEXTS.targetRefused],
}

export function createTikTokService(deps: TikTokServiceDeps): TikTokService {
  const { repo, streamlabs, endAtPlatform, accounts, sealer, clock } = deps

  /** The page has only a masked token: an account that it names is what counts. */
  async function tokenOf(workspaceId: string, { accountId, token }: TikTokTargetBody) {
    if (!accountId) {
      // What cannot stand in a header is no token: most likely the masked one.
      if (!token || !TOKEN.test(token)) throw new DomainError(...FAULTS['token-invalid'])
      return { token: new Secret(token), name: DEFAULT_TITLE }
    }
    const account = await accounts.find(workspaceId, 'tiktok', accountId)
    if (!account) throw new DomainError('not_found', STREAM_TEXTS.tikTokAccountNotFound)
    return { token: account.credential, name: account.name }
  }

  return {
    async begin({ workspaceId }, body) {
      const { token, name } = await tokenOf(workspaceId, body)
      const earlier = await repo.unused(workspaceId)
      const begun = await streamlabs.start(token, body.title || name)
      if (!begun.ok) throw new DomainError(...FAULTS[begun.fault])
      const { id, rtmp } = begun.value
      // As a stream that is started with it has it: by this the two are known to belong together.
      const target = rtmpTarget(rtmp, PLATFORM_FACTS.tiktok.ingestBase)
      const row = {
        id: randomUUID(),
        user_id: workspaceId,
        token_sealed: sealer.seal(token),
        broadcast_id: id,
        target_mark: sealer.mark(target.ok ? target.url : new Secret(rtmp)),
        created_at: clock.now(),
      }
      await repo.insert(row)
      // TikTok has one broadcast per account: by this one it has ended what was begun before.
      for (const old of earlier) {
        if (sealer.open(old.token_sealed).equals(token)) await repo.ended(old.id, clock.now())
      }
      if (target.ok) return { id, rtmpSteam: target.url.reveal() }
      await endAtPlatform(row)
      throw new DomainError('platform_refused', TIKTOK_TEXTS.targetRefused)
    },
  }
}
