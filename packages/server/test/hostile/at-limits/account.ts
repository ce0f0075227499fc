import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../../src/platform/db/database.ts'
import type { Database } from '../../../src/platform/db/schema.ts'
import type { Sealer } from '../../../src/platform/secrets/seal.ts'
import type { Amounts } from './amounts.ts'

/** Somebody who is registered and logged in. */
export interface Account {
  readonly userId: string
  readonly email: string
  readonly username: string
  readonly password: string
  readonly apiKey: string
  readonly token: string
  /** Where the session began: it goes on from there. */
  readonly address: string
}

/** Rows that the program itself wrote for somebody: what is filled looks like them, also in columns that come later. */
export interface Templates {
  readonly video: Selectable<Database['videos']>
  readonly rendition: Selectable<Database['renditions']>
  readonly playlist: Selectable<Database['playlists']>
  readonly schedule: Selectable<Database['schedules']>
  readonly occurrence: Selectable<Database['schedule_occurrences']>
  readonly target: Selectable<Database['targets']>
  readonly platformAccount: Selectable<Database['platform_accounts']>
  readonly webhook: Selectable<Database['webhook_endpoints']>
  readonly delivery: Selectable<Database['webhook_deliveries']>
  readonly session: Selectable<Database['sessions']>
  readonly broadcast: Selectable<Database['broadcasts']>
  readonly stream: Selectable<Database['streams']>
  readonly recording: Selectable<Database['recordings']>
  readonly piece: Selectable<Database['sent_pieces']>
  readonly statStream: Insertable<Database['stat_streams']>
}

export interface Filling {
  readonly db: Db
  readonly userId: string
  readonly like: Templates
  readonly amounts: Amounts
  readonly sealer: Sealer
  readonly now: number
  /** Where the files of videos lie. */
  readonly mediaDir: string
}

/** What calls name. Lists of ids as patterns of `idAt`, with how many there are. */
export interface Ids {
  readonly like: string
  readonly count: number
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
