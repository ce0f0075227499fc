import type { AlertKind } from '@siarin/contracts/alert-kinds'
import {
  Archive,
  BellOff,
  CalendarClock,
  CalendarX2,
  CircleCheck,
  CreditCard,
  Film,
  HardDrive,
  type LucideIcon,
  RefreshCw,
  TriangleAlert,
  Unplug,
} from 'lucide-react'
import { classes } from '../../lib/classes.ts'

const ICONS: Record<AlertKind, LucideIcon> = {
  'stream.failed': TriangleAlert,
  'stream.offair': Unplug,
  'stream.back': CircleCheck,
  'stream.flapping': RefreshCw,
  'schedule.missed': CalendarX2,
  'schedule.failed': CalendarX2,
  'schedule.blocked': CalendarClock,
  'plan.ending': CreditCard,
  'plan.ended': CreditCard,
  'video.failed': Film,
  'room.low': HardDrive,
  'recording.expiring': Archive,
  'channel.gone': BellOff,
}

const toneOf = (kind: AlertKind, important: boolean): string => {
  if (kind === 'stream.back') return 'bg-accent-wash text-accent-ink'
  return important ? 'bg-warn-wash text-warn-ink' : 'bg-raised text-ink-soft'
}

/** Red is on air and nothing else: what is wrong is amber. A kind may be another version's, which this one does not know. */
export function KindIcon({ kind, important }: { kind: AlertKind; important: boolean }) {
  const Icon = ICONS[kind] ?? TriangleAlert
  return (
    <span className={classes('grid size-9 shrink-0 place-items-center rounded-full', toneOf(kind, important))}>
      <Icon aria-hidden size={18} strokeWidth={1.75} />
    </span>
  )
}
