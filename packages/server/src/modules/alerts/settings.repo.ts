import { AlertSettings, DEFAULT_ALERT_SETTINGS, QuietHours } from '@siarin/contracts/alerts'
import type { Db } from '../../platform/db/database.ts'

/** What was saved by another version may lack a kind that this one has, or have quiet hours that this one does not take. */
function readSettings(stored: string): AlertSettings {
  const saved = JSON.parse(stored) as Partial<AlertSettings>
  const whole = {
    ...DEFAULT_ALERT_SETTINGS,
    ...saved,
    quiet: QuietHours.safeParse(saved.quiet).data ?? DEFAULT_ALERT_SETTINGS.quiet,
    kinds: { ...DEFAULT_ALERT_SETTINGS.kinds, ...saved.kinds },
  }
  return AlertSettings.safeParse(whole).data ?? DEFAULT_ALERT_SETTINGS
}

export const settingsRepo = {
  async of(db: Db, userIds: readonly string[]): Promise<(userId: string) => AlertSettings> {
    const rows =
      userIds.length === 0
        ? []
        : await db
            .selectFrom('alert_settings')
            .select(['user_id', 'settings'])
            .where('user_id', 'in', [...new Set(userIds)])
            .execute()
    const known = new Map(rows.map(({ user_id, settings }) => [user_id, readSettings(settings)]))
    return (userId) => known.get(userId) ?? DEFAULT_ALERT_SETTINGS
  },
  async isSaved(db: Db, userId: string): Promise<boolean> {
    const row = await db.selectFrom('alert_settings').select('user_id').where('user_id', '=', userId).executeTakeFirst()
    return row !== undefined
  },
  async save(inside: Db, userId: string, settings: AlertSettings, now: number): Promise<void> {
    const values = { settings: JSON.stringify(settings), updated_at: now }
    await inside
      .insertInto('alert_settings')
      .values({ user_id: userId, ...values })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
      .execute()
  },
}
