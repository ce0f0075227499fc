import { type LeftBehind, leftBehindText } from '@siarin/contracts/left-behind'
import type { Db } from '../../platform/db/database.ts'
import { settingsRepo } from './settings.repo.ts'
import { writeAlerts } from './write-alerts.ts'

/** In the app alone, whatever is switched off: it may have been somebody else who switched it off. */
export async function tellOfLeftBehind(
  inside: Db,
  userId: string,
  { left, now }: { left: LeftBehind; now: number },
): Promise<void> {
  if (leftBehindText(left) === null) return
  const details = { at: now, channelKind: 'left-behind', left }
  const alert = { kind: 'channel.gone', subjectId: null, topic: `left-behind:${userId}`, details } as const
  await writeAlerts(inside, [{ userId, ...alert }], { now, settingsOf: await settingsRepo.of(inside, [userId]) })
}
