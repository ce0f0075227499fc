import type { Schedule, ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import { Pencil, Trash2 } from 'lucide-react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { PlatformMark } from '../../../components/platform-mark.tsx'
import { Tooltip } from '../../../components/tooltip.tsx'
import { capital, momentWords, ruleWords, stateWords } from '../schedule-words.ts'
import type { ScheduleActions } from '../use-schedule-actions.ts'
import { zoneWords } from '../zones.ts'
import { TargetNames } from './target-names.tsx'

interface ScheduleRowProps {
  schedule: Schedule
  /** Its time has come and is not over. */
  current: ScheduledOccurrence | undefined
  actions: ScheduleActions
  onEdit: () => void
}

function nextWords({ paused, nextAt, rule }: Schedule, current: ScheduledOccurrence | undefined): string {
  if (paused) return 'Tidak dimulai selama dijeda.'
  if (nextAt === null && current?.state === 'due') return 'Dicoba lagi selama waktunya belum habis.'
  if (nextAt === null) return current ? 'Sesudah ini tidak ada lagi.' : 'Tidak ada lagi yang akan datang.'
  return `Berikutnya ${momentWords(rule.zone, Date.parse(nextAt))} ${zoneWords(rule.zone)}`
}

/** Null: it goes on as planned. */
function stateOf({ paused, nextAt }: Schedule, current: ScheduledOccurrence | undefined) {
  if (paused) return { label: 'Dijeda', tone: 'neutral' } as const
  if (nextAt !== null) return null
  return current ? stateWords(current) : ({ label: 'Selesai', tone: 'neutral' } as const)
}

export function ScheduleRow({ schedule, current, actions, onEdit }: ScheduleRowProps) {
  const { title, rule, broadcast, paused, nextAt } = schedule
  const busy = actions.busyId === schedule.id
  const state = stateOf(schedule, current)
  const hasMore = nextAt !== null || current?.state === 'due'
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
            {state && <Badge tone={state.tone}>{state.label}</Badge>}
          </div>
          <p className="max-w-text text-xs text-pretty tabular-nums">{capital(ruleWords(rule))}</p>
          <p className="text-xs text-ink-soft tabular-nums">{nextWords(schedule, current)}</p>
          <p className="flex min-w-0 text-xs text-ink-soft">
            <TargetNames targets={broadcast.targets} most={6} />
          </p>
        </div>
      </div>
      <div className="flex items-center justify-end gap-1">
        {(paused || hasMore) && (
          <Button
            look="secondary"
            size="small"
            disabled={busy}
            aria-label={`${paused ? 'Lanjutkan' : 'Jeda'} ${title}`}
            onClick={() => actions.pause(schedule, !paused)}
          >
            {paused ? 'Lanjutkan' : 'Jeda'}
          </Button>
        )}
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
