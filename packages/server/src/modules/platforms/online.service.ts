import { randomUUID } from 'node:crypto'
import type { AddOnlineSourceBody, OnlineSource } from '@siarin/contracts/online'
import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { uniqueViolation } from '../../platform/db/database.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { TooManyWaitError } from '../../platform/fair-turns.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { createTurnsAside } from '../../platform/turns-aside.ts'
import type { Caller } from '../identity/caller.ts'
import type { OnlineRepo, OnlineSourceRow } from './online.repo.ts'
import type { PreviewsOf } from './preview-tickets.ts'
import { readBounded } from './read-bounded.ts'
import { isPlaylist, PLAYLIST_MAX_BYTES } from './rewrite-playlist.ts'
import { sourceFault } from './source-faults.ts'
import { parseSourceUrl } from './sources.ts'

export interface OnlineService {
  add(caller: Caller, body: AddOnlineSourceBody): Promise<OnlineSource>
  list(caller: Caller): Promise<OnlineSource[]>
  remove(caller: Caller, id: string): Promise<void>
}

interface OnlineServiceDeps {
  repo: OnlineRepo
  egress: Egress
  sealer: Sealer
  clock: Clock
  previewsOf: PreviewsOf
}

const SOURCES_MAX = 50
const tooMany = () => new DomainError('source_limit_reached', ONLINE_TEXTS.limit(SOURCES_MAX))
const CHECK_MS = 8_000
/** Others' servers are asked here, and may be slow on purpose: one at a time for each user. */
const CHECKS = { atOnce: 16, slowMs: 1_500, mostSlow: 100, mostWaiting: 200, mostWaitingEach: 5 }

export function createOnlineService({ repo, egress, sealer, clock, previewsOf }: OnlineServiceDeps): OnlineService {
  const inTurn = createTurnsAside(CHECKS)

  function toSource(row: OnlineSourceRow, previewOf: (url: URL) => string): OnlineSource {
    const url = sealer.open(row.url_sealed).reveal()
    return {
      id: row.id,
      name: row.name,
      url,
      previewUrl: previewOf(new URL(url)),
      createdAt: new Date(row.created_at).toISOString(),
    }
  }

  /** What is not a playlist now would only fail later, on air. */
  async function assertPlaylist(url: URL): Promise<void> {
    const signal = AbortSignal.timeout(CHECK_MS)
    try {
      await egress.resolve(url.hostname)
      const { body } = await egress.open(url, { signal })
      const bytes = await readBounded(body, PLAYLIST_MAX_BYTES)
      if (!bytes || !isPlaylist(bytes)) throw new DomainError('source_invalid', ONLINE_TEXTS.notHls)
    } catch (error) {
      throw sourceFault(error)
    }
  }

  return {
    async add({ userId, workspaceId }, { name, url: typed }) {
      const url = parseSourceUrl(egress, typed)
      const secret = new Secret(url.href)
      const mark = sealer.mark(secret)
      if (await repo.byMark(workspaceId, mark)) throw new DomainError('source_exists', ONLINE_TEXTS.exists)
      // Before another server is asked; what counts is asked again where the row is written.
      if ((await repo.count(workspaceId)) >= SOURCES_MAX) throw tooMany()
      await inTurn(userId, () => assertPlaylist(url)).catch((error) => {
        if (!(error instanceof TooManyWaitError)) throw error
        throw new DomainError('rate_limited', ONLINE_TEXTS.tooMany, { retryAfterSeconds: 1 })
      })
      const row = {
        id: randomUUID(),
        user_id: workspaceId,
        name,
        url_sealed: sealer.seal(secret),
        url_mark: mark,
        created_at: clock.now(),
      }
      const isKept = await repo.insertWithin(row, SOURCES_MAX).catch((error) => {
        if (!uniqueViolation(error)?.includes('url')) throw error
        throw new DomainError('source_exists', ONLINE_TEXTS.exists)
      })
      if (!isKept) throw tooMany()
      return toSource(row, await previewsOf(userId))
    },

    async list({ userId, workspaceId }) {
      const previewOf = await previewsOf(userId)
      return (await repo.ofUser(workspaceId)).map((row) => toSource(row, previewOf))
    },

    async remove({ workspaceId }, id) {
      if (!(await repo.remove(workspaceId, id))) throw new DomainError('not_found', ONLINE_TEXTS.notFound)
    },
  }
}
