import type { StorageUse } from '@siarin/contracts/videos'
import { Bar } from '../../components/bar.tsx'
import { classes } from '../../lib/classes.ts'
import { formatShortBytes } from '../../lib/format.ts'

const NEARLY_FULL = 0.9

export function StorageMeter({ storage: { used, limit } }: { storage: StorageUse }) {
  const share = limit > 0 ? Math.min(1, used / limit) : 1
  const nearlyFull = share > NEARLY_FULL
  return (
    <div className="grow basis-52" data-testid="storage">
      <p className={classes('text-xs tabular-nums', nearlyFull ? 'font-semibold text-warn-ink' : 'text-ink-soft')}>
        Terpakai {formatShortBytes(used)} dari {formatShortBytes(limit)}
      </p>
      <Bar percent={share * 100} warning={nearlyFull} className="mt-1.5 h-1 sm:max-w-80" />
    </div>
  )
}
