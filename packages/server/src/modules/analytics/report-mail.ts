import type { ReportMailBody } from '@siarin/contracts/analytics'
import { ANALYTICS_TEXTS } from '@siarin/contracts/analytics-texts'
import { DEFAULT_ZONE, dateAt } from '@siarin/contracts/zones'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ClockTrust } from '../../platform/clock-trust.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Letter } from '../../platform/mail/mailer.ts'
import type { Caller } from '../identity/caller.ts'
import type { Access } from './access.ts'
import { monthBefore } from './days.ts'
import type { Report } from './report.ts'
import { reportLetter } from './report-letter.ts'
import type { IsOver } from './roll-up.ts'

export type ReportMail = ReturnType<typeof createReportMail>

interface ReportMailDeps {
  readonly db: Db
  readonly access: Access
  readonly report: Report
  readonly clock: Clock
  readonly trust: ClockTrust
  readonly log: Log
  readonly brand: string
  readonly publicUrl: string | null
  /** Null: the operator has no mail server. */
  readonly post: ((letter: Letter, onLost: () => void) => void) | null
  /** Where somebody gets mail; null: the address is not theirs for sure. */
  readonly addressOf: (userId: string) => Promise<string | null>
}

const MOST_AT_ONCE = 50

/** Who wants the report of each month by e-mail, and sending it. */
export function createReportMail(deps: ReportMailDeps) {
  const { db, access, report, clock, trust, log, post, addressOf } = deps

  async function find({ workspaceId }: Pick<Caller, 'workspaceId'>) {
    const row = await db.selectFrom('stat_reports').selectAll().where('user_id', '=', workspaceId).executeTakeFirst()
    const [on, zone, lastMonth] = [row?.is_on === 1, row?.zone ?? DEFAULT_ZONE, row?.last_month ?? null]
    return { on, zone, lastMonth, available: post !== null }
  }

  /** The month that is over by the clock of a zone. */
  const lastMonthIn = (zone: string): string => monthBefore(dateAt(zone, clock.now()).slice(0, 7))

  /** True for one program alone, and once for each month: the row says so before anything is sent. */
  async function claim(userId: string, month: string): Promise<boolean> {
    const row = await db
      .updateTable('stat_reports')
      .set({ last_month: month })
      .where('user_id', '=', userId)
      .where('is_on', '=', 1)
      .where(({ eb, or }) => or([eb('last_month', 'is', null), eb('last_month', '<', month)]))
      .returning('user_id')
      .executeTakeFirst()
    return row !== undefined
  }

  /** It never left: the next look tries again. */
  const giveBack = (userId: string, month: string): Promise<unknown> =>
    db
      .updateTable('stat_reports')
      .set({ last_month: monthBefore(month) })
      .where('user_id', '=', userId)
      .where('last_month', '=', month)
      .execute()
      .catch((error) => log.warn({ err: error }, 'a monthly report that was not sent is lost'))

  /** The next ones behind a user, in the order of their ids: a user who can get none holds up nobody. */
  const due = (newest: string, after: string) =>
    db
      .selectFrom('stat_reports')
      .select(['user_id', 'zone', 'last_month'])
      .where('is_on', '=', 1)
      .where('user_id', '>', after)
      .where(({ eb, or }) => or([eb('last_month', 'is', null), eb('last_month', '<', newest)]))
      .orderBy('user_id')
      .limit(MOST_AT_ONCE)
      .execute()

  async function send(userId: string, zone: string): Promise<void> {
    const month = lastMonthIn(zone)
    const rights = await access.rightsOf({ userId, workspaceId: userId, role: 'owner' })
    const to = rights.report ? await addressOf(userId) : null
    if (to === null) return
    const figures = await report.of(userId, { month, zone }, rights)
    if (!(await claim(userId, month))) return
    const letter = reportLetter({ to, brand: deps.brand, publicUrl: deps.publicUrl, report: figures })
    post?.(letter, () => void giveBack(userId, month))
    log.info({ userId, month }, 'a monthly report is on its way')
  }

  return {
    find,
    async change(caller: Caller, { on, zone }: ReportMailBody) {
      await access.assertHas(caller, 'report')
      if (on && post === null) throw new DomainError('invalid_input', ANALYTICS_TEXTS.mailUnavailable)
      // The first one is that of the month which runs now.
      const { on: wasOn } = await find(caller)
      const values = { is_on: on ? 1 : 0, zone, ...(on && !wasOn && { last_month: lastMonthIn(zone) }) }
      await db
        .insertInto('stat_reports')
        .values({ user_id: caller.workspaceId, last_month: lastMonthIn(zone), ...values })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
        .execute()
      return find(caller)
    },
    /** Those whose month is over. One that fails is no reason to keep the others waiting. */
    async sendDue(isOver: IsOver): Promise<void> {
      // A month that a wrong clock has called over would be sent before it is, and then not at its end.
      if (!post || !(await trust()).isSure) return
      // Nobody's month is over before that of the zone which is furthest ahead.
      const newest = lastMonthIn('Pacific/Kiritimati')
      for (let rows = await due(newest, ''); rows.length > 0; rows = await due(newest, rows.at(-1)?.user_id ?? '')) {
        for (const { user_id, zone, last_month } of rows) {
          if (isOver()) return
          if (last_month !== null && last_month >= lastMonthIn(zone)) continue
          await send(user_id, zone).catch((error) => log.warn({ err: error }, 'a monthly report could not be sent'))
        }
      }
    },
  }
}
