import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { TallyChip } from '../../components/tally-chip.tsx'
import { activeStreamsQuery, type StreamRowData } from '../../features/broadcasts/api/active-streams.ts'
import { shownPhase } from '../../features/broadcasts/stream-words.ts'
import { useStopped } from '../../features/standing/api/standing.ts'
import { useBlockingNotice } from '../../lib/blocking-notice.ts'
import { sayOnAir } from '../../lib/on-air.ts'

const CHECK_EVERY_MS = 15_000
/** While something is about to change. */
const LOOK_CLOSELY_MS = 2000

const pollMs = (streams: readonly StreamRowData[] | undefined): number =>
  streams?.every(({ state }) => state === 'live') === false ? LOOK_CLOSELY_MS : CHECK_EVERY_MS

/** What is on air now, on every screen and in the title of the browser's tab. */
export function HeaderTally() {
  const noticed = useBlockingNotice() !== null
  const stopped = useStopped() !== null
  const { data } = useQuery({
    ...activeStreamsQuery(),
    enabled: !noticed && !stopped,
    refetchInterval: (query) => pollMs(query.state.data?.streams),
    // A tab that nobody looks at still has its title, and the title has the lamp.
    refetchIntervalInBackground: true,
  })
  // What was known last is not true for long once somebody may not ask any more.
  const streams = stopped ? [] : (data?.streams ?? [])
  const onAir = streams.filter((stream) => stream.state === 'live')
  const lit = onAir.length > 0

  useEffect(() => {
    sayOnAir(lit)
    return () => sayOnAir(false)
  }, [lit])

  return (
    <TallyChip
      live={onAir.length}
      waiting={streams.filter((stream) => shownPhase(stream) === 'waiting').length}
      kbps={onAir.reduce((sum, stream) => sum + (stream.bitrate ?? 0), 0)}
    />
  )
}
