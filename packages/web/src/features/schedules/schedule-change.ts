import type { ScheduleRule } from '@siarin/contracts/schedules/schedule-rule'
import type { ChangeScheduleBody, Schedule } from '@siarin/contracts/schedules/schedules'
import { chosenTargets, type TargetChoice } from './target-choice.ts'

export interface ScheduleEdit {
  readonly title: string
  readonly source: string
  readonly record: boolean
  /** Empty: the kept one is used again. */
  readonly key: string
  readonly targets: TargetChoice
  readonly rule: ScheduleRule
  readonly endAtPass: boolean
}

type Broadcast = NonNullable<ChangeScheduleBody['broadcast']>

/** Null: it starts what it has started. A relayed room has an account and a stand-in, and a video a version, which another source has not. */
function changedBroadcast({ broadcast }: Schedule, { source, key, targets, record }: ScheduleEdit): Broadcast | null {
  const isSame = source === broadcast.source
  const goesTo = chosenTargets(broadcast.targets, targets, key.trim())
  if (isSame && !goesTo && record === broadcast.record) return null
  const { looping, title, accountId, fallback, rendition, logo } = broadcast
  return {
    // Without targets it goes where it went.
    ...{ source, looping, rtmpStream: '' },
    ...(goesTo && { targets: goesTo }),
    ...(title !== null && { title }),
    ...(record && { record }),
    ...(isSame && accountId !== null && { accountId }),
    ...(isSame && fallback !== null && { fallback }),
    ...(isSame && rendition !== null && { rendition }),
    ...(isSame && logo !== null && { logo }),
  }
}

/** Only what differs: a change of the rule plans anew, and one of the broadcast asks for the password. */
export function changeOf(schedule: Schedule, edit: ScheduleEdit): ChangeScheduleBody {
  const title = edit.title.trim()
  const broadcast = changedBroadcast(schedule, edit)
  return {
    ...(title && title !== schedule.title && { title }),
    ...(JSON.stringify(edit.rule) !== JSON.stringify(schedule.rule) && { rule: edit.rule }),
    ...(edit.endAtPass !== schedule.endAtPass && { endAtPass: edit.endAtPass }),
    ...(broadcast && { broadcast }),
  }
}
