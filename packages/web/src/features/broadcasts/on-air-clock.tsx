import { classes } from '../../lib/classes.ts'
import { formatClock } from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import type { StreamRowData } from './api/active-streams.ts'

/** How long the broadcast has lasted since it was first on air: coming back from an outage does not set it back. */
export function OnAirClock({ stream, className }: { stream: StreamRowData; className: string }) {
  const now = useNow()
  // Another server of the same API may know only since when it has been on air without a break.
  const from = stream.firstLiveAt ?? stream.since
  if (!from) return null
  return (
    <time data-testid="clock" className={classes('tabular-nums', className)}>
      {formatClock((now - Date.parse(from)) / 1000)}
    </time>
  )
}
