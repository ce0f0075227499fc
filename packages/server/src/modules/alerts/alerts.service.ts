import { ALERT_TEXTS } from '@siarin/contracts/alert-texts'
import type { Alert, AlertSettings, ListAlertsQuery, Unread } from '@siarin/contracts/alerts'
import { quietUntil } from '@siarin/contracts/quiet-hours'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { lockReader } from '../../platform/outbox/fact-reader.ts'
import type { Caller } from '../identity/caller.ts'
import { isAlertKind, toAlert } from './alert-views.ts'
import type { AlertsRepo } from './alerts.repo.ts'
import { channelsRepo } from './channels.repo.ts'
import { incidentsRepo } from './incidents.repo.ts'
import { settingsRepo } from './settings.repo.ts'
import { AT_ONCE } from './write-alerts.ts'

export interface AlertsService {
  list(caller: Caller, query: ListAlertsQuery): Promise<{ data: Alert[]; nextCursor: string | null; unread: number }>
  unread(caller: Caller): Promise<Unread>
  read(caller: Caller, id: string): Promise<Unread>
  readAll(caller: Caller, upTo: string): Promise<Unread>
  settings(caller: Caller): Promise<{ data: AlertSettings; saved: boolean }>
  saveSettings(caller: Caller, settings: AlertSettings): Promise<void>
}

interface AlertsServiceDeps {
  readonly db: Db
  /** Under which name facts are read. */
  readonly readerName: string
  readonly repo: AlertsRepo
  readonly clock: Clock
}

export function createAlertsService({ db, readerName, repo, clock }: AlertsServiceDeps): AlertsService {
  const settingsOf = async ({ workspaceId }: Caller) => (await settingsRepo.of(db, [workspaceId]))(workspaceId)

  async function unread({ workspaceId }: Caller): Promise<Unread> {
    const newestId = await repo.newestId(workspaceId)
    return { unread: await repo.unread(workspaceId), newestId: newestId === null ? null : String(newestId) }
  }

  return {
    unread,

    async settings(caller) {
      return { data: await settingsOf(caller), saved: await settingsRepo.isSaved(db, caller.workspaceId) }
    },

    async list(caller, { cursor, limit, unread: only }) {
      const { zone } = await settingsOf(caller)
      const place = { before: cursor ? Number(cursor) : null, unread: only === 'true' }
      // One more tells whether there is another page.
      const rows = await repo.page(caller.workspaceId, { ...place, limit: limit + 1 })
      const last = rows.length > limit ? rows[limit - 1] : undefined
      const data = rows
        .slice(0, limit)
        .flatMap(({ kind, ...row }) => (isAlertKind(kind) ? [toAlert({ ...row, kind }, zone)] : []))
      return { data, nextCursor: last ? String(last.id) : null, unread: await repo.unread(caller.workspaceId) }
    },

    async read(caller, id) {
      if (!(await repo.read(caller.workspaceId, Number(id), clock.now()))) {
        throw new DomainError('not_found', ALERT_TEXTS.notFound)
      }
      return unread(caller)
    },

    async readAll(caller, upTo) {
      await repo.readUpTo(caller.workspaceId, Number(upTo), clock.now())
      return unread(caller)
    },

    async saveSettings({ workspaceId }, settings) {
      const now = clock.now()
      await db.transaction().execute(async (inside) => {
        // The lock comes first, as where facts are taken: both change incidents, and must not wait for each other's.
        await lockReader(inside, readerName)
        await settingsRepo.save(inside, workspaceId, settings, now)
        // What waits is judged anew: for the minute, and for the end of quiet hours.
        await incidentsRepo.wakeAllOf(inside, workspaceId, now)
        await channelsRepo.holdUntil(inside, workspaceId, quietUntil(settings, now) ?? AT_ONCE)
      })
    },
  }
}
