import { PLATFORM_FACTS, type Platform } from '@siarin/contracts/platforms'
import type { ScheduledTarget } from '@siarin/contracts/schedules/scheduled-start'
import type { ChangeScheduleBody } from '@siarin/contracts/schedules/schedules'

/** Where a schedule is to go: stored targets by their ids, and typed ones by their platforms, whose keys the server keeps. */
export interface TargetChoice {
  readonly ticked: readonly string[]
  readonly typed: readonly Platform[]
}

type Targets = NonNullable<NonNullable<ChangeScheduleBody['broadcast']>['targets']>

const isTyped = ({ targetId }: ScheduledTarget): boolean => targetId === null

/** As it is now, but for what was deleted since. */
export const choiceOf = (targets: readonly ScheduledTarget[]): TargetChoice => ({
  ticked: targets.flatMap(({ targetId, deleted }) => (targetId === null || deleted ? [] : [targetId])),
  typed: [...new Set(targets.filter(isTyped).map(({ platform }) => platform))],
})

/** The typed ones, a line for each platform: their keys cannot be told apart here. */
export const typedLines = (targets: readonly ScheduledTarget[]): { platform: Platform; label: string }[] =>
  choiceOf(targets).typed.map((platform) => {
    const count = typedOf(targets, platform).length
    const { label } = PLATFORM_FACTS[platform]
    return { platform, label: count > 1 ? `${label} (${count} key yang diketik)` : `${label} (key yang diketik)` }
  })

const typedOf = (targets: readonly ScheduledTarget[], platform: Platform): ScheduledTarget[] =>
  targets.filter((target) => isTyped(target) && target.platform === platform)

/** The one typed target, whose key can be replaced; null: there is none, or several. */
export function onlyTyped(targets: readonly ScheduledTarget[]): Platform | null {
  const typed = targets.filter(isTyped)
  return typed.length === 1 ? (typed[0]?.platform ?? null) : null
}

/** What is to be sent; null: it goes where it went. `key`: a new one for the only typed target. */
export function chosenTargets(targets: readonly ScheduledTarget[], choice: TargetChoice, key: string): Targets | null {
  const before = choiceOf(targets)
  const isSame =
    sameItems(before.ticked, choice.ticked) &&
    sameItems(before.typed, choice.typed) &&
    !targets.some(({ deleted }) => deleted)
  if (isSame && key === '') return null
  return [
    ...choice.ticked.map((targetId) => ({ targetId, rtmpStream: '' })),
    ...choice.typed.flatMap((platform) => typedOf(targets, platform).map(() => ({ platform, rtmpStream: key }))),
  ]
}

const sameItems = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item) => other.includes(item))
