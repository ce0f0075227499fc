import { PLATFORM_FACTS } from '@siarin/contracts/platforms'
import type { ScheduledTarget } from '@siarin/contracts/schedules/scheduled-start'
import { PlatformMark } from '../../../components/platform-mark.tsx'
import { classes } from '../../../lib/classes.ts'

interface TargetNamesProps {
  targets: readonly ScheduledTarget[]
  /** More than this are counted. */
  most?: number
}

/** Where it goes: each target with its mark and its name. */
export function TargetNames({ targets, most = 3 }: TargetNamesProps) {
  const shown = targets.slice(0, most)
  const others = targets.slice(most).map(nameOf)
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      {shown.map((target, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two typed ones of a platform differ in their place alone
        <span key={index} className="inline-flex min-w-0 items-center gap-1.5">
          <PlatformMark platform={target.platform} />
          <bdi className={classes('max-w-48 truncate', target.deleted && 'line-through')}>{nameOf(target)}</bdi>
          {target.deleted && <span className="text-warn-ink">(dihapus)</span>}
        </span>
      ))}
      {others.length > 0 && <span title={others.join(', ')}>+{others.length} lainnya</span>}
    </span>
  )
}

export const nameOf = ({ name, platform }: ScheduledTarget): string => name ?? PLATFORM_FACTS[platform].label
