import type { Sealer } from '../../../platform/secrets/seal.ts'
import type { OnlineRef } from '../../platforms/index.ts'
import type { StreamRow } from '../store/streams.repo.ts'

/** The online source of a stream; null: it sends a video. */
export function onlineRefOf(row: StreamRow, sealer: Pick<Sealer, 'open'>): OnlineRef | null {
  if (row.source_account_id !== null) return { kind: 'bigo', accountId: row.source_account_id, name: row.source }
  return row.source_sealed === null ? null : { kind: 'hls', url: sealer.open(row.source_sealed), name: row.source }
}
