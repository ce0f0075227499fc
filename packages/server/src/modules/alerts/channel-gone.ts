import type { Db } from '../../platform/db/database.ts'
import { type ChannelRow, dropWaiting } from './deliveries.repo.ts'
import { settingsRepo } from './settings.repo.ts'
import { writeAlerts } from './write-alerts.ts'

/** The other side says that it is no longer there: nothing goes there any more, and its owner reads so in the app, once. */
export async function switchOffGone(
  inside: Db,
  channel: Pick<ChannelRow, 'id' | 'user_id' | 'kind' | 'name'>,
  { now, answer }: { now: number; answer: string },
): Promise<void> {
  const { numUpdatedRows } = await inside
    .updateTable('alert_channels')
    .set({ state: 'gone', last_at: now, last_ok: 0, last_answer: answer })
    .set({ due_at: null, retry_at: null, claimed_until: null, is_crowded: 0 })
    .where('id', '=', channel.id)
    .where('state', '=', 'on')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  await dropWaiting(inside, channel.id, now)
  const details = { at: now, name: channel.name, channelKind: channel.kind, answer }
  const alert = { kind: 'channel.gone', subjectId: channel.id, topic: `channel:${channel.id}`, details } as const
  const settingsOf = await settingsRepo.of(inside, [channel.user_id])
  await writeAlerts(inside, [{ userId: channel.user_id, ...alert }], { now, settingsOf })
}
