import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { TallyLamp } from '../../components/tally-lamp.tsx'
import { activeStreamsQuery } from '../../features/live/api/active-streams.ts'
import { classes } from '../../lib/classes.ts'

const CHECK_EVERY_MS = 15_000

/** What is on air now, on every screen; absent when nothing is. */
export function TallyChip() {
  const { data } = useQuery({ ...activeStreamsQuery(), refetchInterval: CHECK_EVERY_MS })
  const streams = data?.streams ?? []
  const live = streams.filter((stream) => stream.state === 'live').length
  const waiting = streams.filter((stream) => stream.state === 'waiting').length
  if (live + waiting === 0) return null

  return (
    <Link
      to="/fitur/live"
      className={classes(
        'inline-flex h-8 items-center gap-2 rounded-full px-3 text-xs font-semibold tabular-nums',
        waiting > 0 ? 'bg-warn-wash text-warn-ink' : 'bg-on-air-wash text-on-air-ink',
      )}
    >
      <TallyLamp lit={live > 0} className={live > 0 ? '' : 'bg-warn!'} />
      {[live > 0 && `${live} tayang`, waiting > 0 && `${waiting} menyambung ulang`].filter(Boolean).join(' · ')}
    </Link>
  )
}
