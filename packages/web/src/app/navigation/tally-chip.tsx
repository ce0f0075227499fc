import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { TallyLamp } from '../../components/tally-lamp.tsx'
import { activeStreamsQuery, type StreamRowData } from '../../features/live/api/active-streams.ts'
import { shownPhase } from '../../features/live/stream-words.ts'
import { classes } from '../../lib/classes.ts'
import { formatBitrate } from '../../lib/format.ts'

const CHECK_EVERY_MS = 15_000
/** While something is about to change. */
const LOOK_CLOSELY_MS = 2000

const pollMs = (streams: readonly StreamRowData[] | undefined): number =>
  streams?.every(({ state }) => state === 'live') === false ? LOOK_CLOSELY_MS : CHECK_EVERY_MS

/** What is on air now, on every screen; absent when nothing is. */
export function TallyChip() {
  const { data } = useQuery({
    ...activeStreamsQuery(),
    refetchInterval: (query) => pollMs(query.state.data?.streams),
    // A tab that nobody looks at still has its title, and the title has the lamp.
    refetchIntervalInBackground: true,
  })
  const streams = data?.streams ?? []
  const onAir = streams.filter((stream) => stream.state === 'live')
  const live = onAir.length
  const waiting = streams.filter((stream) => shownPhase(stream) === 'waiting').length
  if (live + waiting === 0) return null

  const kbps = onAir.reduce((sum, stream) => sum + (stream.bitrate ?? 0), 0)
  const facts = [
    live > 0 && `${live} tayang`,
    waiting > 0 && `${waiting} menyambung ulang`,
    waiting === 0 && kbps > 0 && formatBitrate(kbps),
  ]
  return (
    <Link
      to="/fitur/live"
      className={classes(
        'inline-flex h-8 items-center gap-2 rounded-full px-3 text-xs font-semibold whitespace-nowrap tabular-nums',
        waiting > 0 ? 'bg-warn-wash text-warn-ink' : 'bg-on-air-wash text-on-air-ink',
      )}
    >
      <TallyLamp lit={live > 0} className={live > 0 ? '' : 'bg-warn!'} />
      {facts.filter(Boolean).join(' · ')}
    </Link>
  )
}
