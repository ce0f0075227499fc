import type { ScheduledTarget } from '@siarin/contracts/schedules/scheduled-start'
import { useQuery } from '@tanstack/react-query'
import { PlatformMark } from '../../../components/platform-mark.tsx'
import { targetsQuery } from '../../targets/api/targets.ts'
import { type TargetChoice, typedLines } from '../target-choice.ts'
import { nameOf } from './target-names.tsx'

interface TargetFieldsProps {
  /** Where it goes now. */
  targets: readonly ScheduledTarget[]
  choice: TargetChoice
  onChange: (choice: TargetChoice) => void
}

const without = <T,>(all: readonly T[], one: T): T[] => all.filter((each) => each !== one)

/** The stored targets and those that were typed for this schedule, each to be ticked. */
export function TargetFields({ targets, choice, onChange }: TargetFieldsProps) {
  const { data: stored } = useQuery(targetsQuery())
  const deleted = targets.filter((target) => target.deleted).map(nameOf)
  const { ticked, typed } = choice
  const lines = [
    ...typedLines(targets).map(({ platform, label }) => ({
      ...{ id: `typed-${platform}`, platform, label, isOn: typed.includes(platform) },
      toggle: () =>
        onChange({ ...choice, typed: typed.includes(platform) ? without(typed, platform) : [...typed, platform] }),
    })),
    ...(stored ?? namedOf(targets)).map(({ id, name, platform }) => ({
      ...{ id, platform, label: name, isOn: ticked.includes(id) },
      toggle: () => onChange({ ...choice, ticked: ticked.includes(id) ? without(ticked, id) : [...ticked, id] }),
    })),
  ]
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 text-sm font-semibold">Tujuan</legend>
      {deleted.length > 0 && (
        <p className="text-xs text-pretty text-warn-ink">
          {deleted.join(', ')} sudah dihapus dan dilepas dari jadwal ini begitu Anda menyimpan.
        </p>
      )}
      <ul className="max-h-64 divide-y divide-line overflow-y-auto overscroll-contain rounded-control border border-line">
        {lines.map(({ id, platform, label, isOn, toggle }) => (
          <li key={id}>
            <label className="flex min-h-11 cursor-pointer items-center gap-3 px-3.5 py-2 text-sm hover:bg-raised">
              <input
                type="checkbox"
                className="size-5 shrink-0 accent-(--color-accent)"
                checked={isOn}
                onChange={toggle}
              />
              <PlatformMark platform={platform} />
              <bdi className="min-w-0 truncate">{label}</bdi>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

/** While the list of stored ones is not there yet: those of this schedule. */
const namedOf = (targets: readonly ScheduledTarget[]) =>
  targets.flatMap(({ targetId, name, platform, deleted }) =>
    targetId === null || deleted ? [] : [{ id: targetId, name: name ?? '', platform }],
  )
