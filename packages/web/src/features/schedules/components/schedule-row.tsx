import type { Schedule } from '@siarin/contracts/schedules/schedules'
import { Pencil, Trash2 } from 'lucide-react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { PlatformMark } from '../../../components/platform-mark.tsx'
import { Tooltip } from '../../../components/tooltip.tsx'
import { capital, momentWords, ruleWords } from '../schedule-words.ts'
import type { ScheduleActions } from '../use-schedule-actions.ts'
import { zoneWords } from '../zones.ts'
import { TargetNames } from './target-names.tsx'

interface ScheduleRowProps {
  schedule: Schedule
  actions: ScheduleActions
  onEdit: () => void
}

function nextWords({ paused, nextAt, rule }: Schedule): string {
  if (paused) return 'Tidak dimulai selama dijeda.'
  if (nextAt === null) return 'Tidak ada lagi yang akan datang.'
  return `Berikutnya ${momentWords(rule.zone, Date.parse(nextAt))} ${zoneWords(rule.zone)}`
}

export function ScheduleRow({ schedule, actions, onEdit }: ScheduleRowProps) {
  const { title, rule, broadcast, paused, nextAt } = schedule
  const busy = actions.busyId === schedule.id
  return (
    <li className="grid gap-3 px-4 py-4 sm:grid-cols-[1fr_auto] sm:items-start sm:gap-6 sm:px-6">
      <div className="flex min-w-0 gap-4">
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-raised text-ink-soft">
          {broadcast.targets.length > 1 ? (
            <span aria-hidden className="text-sm font-semibold tabular-nums">
              {broadcast.targets.length}×
            </span>
          ) : (
            <PlatformMark platform={broadcast.platform} className="size-5" />
          )}
        </span>
        <div className="grid min-w-0 flex-1 gap-1">
          <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <h3 dir="auto" className="min-w-0 truncate text-sm font-semibold">
              {title}
            </h3>
            {paused && <Badge>Dijeda</Badge>}
            {!paused && nextAt === null && <Badge>Selesai</Badge>}
          </div>
          <p className="max-w-text text-xs text-pretty tabular-nums">{capital(ruleWords(rule))}</p>
          <p className="text-xs text-ink-soft tabular-nums">{nextWords(schedule)}</p>
          <p className="flex min-w-0 text-xs text-ink-soft">
            <TargetNames targets={broadcast.targets} most={6} />
          </p>
        </div>
      </div>
      <div className="flex items-center justify-end gap-1">
        <Button
          look="secondary"
          size="small"
          disabled={busy}
          aria-label={`${paused ? 'Lanjutkan' : 'Jeda'} ${title}`}
          onClick={() => actions.pause(schedule, !paused)}
        >
          {paused ? 'Lanjutkan' : 'Jeda'}
        </Button>
        <Tooltip text="Ubah">
          <Button look="quiet" size="icon" aria-label={`Ubah ${title}`} disabled={busy} onClick={onEdit}>
            <Pencil aria-hidden size={18} strokeWidth={1.75} />
          </Button>
        </Tooltip>
        <Tooltip text="Hapus">
          <Button
            look="quiet"
            size="icon"
            aria-label={`Hapus ${title}`}
            disabled={busy}
            onClick={() => void actions.askRemove(schedule)}
          >
            <Trash2 aria-hidden size={18} strokeWidth={1.75} />
          </Button>
        </Tooltip>
      </div>
    </li>
  )
}
