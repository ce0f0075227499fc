import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Page } from '../../../components/page.tsx'
import { useSession } from '../../../lib/session.ts'
import { activeStreamsQuery } from '../../broadcasts/api/active-streams.ts'
import { videosPoll, videosQuery } from '../../library/api/videos.ts'
import { VerifyStrip } from '../../profile/verify-strip.tsx'
import { ComingNext } from '../../schedules/coming-next.tsx'
import { AccessStopped } from '../../standing/access-stopped.tsx'
import { useStopped } from '../../standing/api/standing.ts'
import { PlanStrip } from '../../standing/plan-strip.tsx'
import { broadcastWords } from '../broadcast-words.ts'
import { MachineCount } from './machine-count.tsx'
import { OnAir } from './on-air.tsx'
import { RestoredStrip } from './restored-strip.tsx'
import { UsageTiles } from './usage-tiles.tsx'

const STREAMS_POLL_MS = 5000
const UPCOMING_SHOWN = 3
/** How soon the list of videos is asked for again after it could not be had. */
const AGAIN_MS = 5000

function Greeting() {
  const { user } = useSession()
  return (
    <>
      Welcome back, <bdi>{user?.username || 'User'}</bdi>!
    </>
  )
}

function Overview() {
  const active = useQuery({ ...activeStreamsQuery(), refetchOnMount: 'always', refetchInterval: STREAMS_POLL_MS })
  const { data: library } = useQuery({
    ...videosQuery(),
    refetchInterval: ({ state }) => (state.data ? videosPoll(state.data) : AGAIN_MS),
  })
  return (
    <Page
      title={<Greeting />}
      // Its line is there before it is known, so that nothing below moves.
      lead={active.data ? broadcastWords(active.data.streams) : '\u00a0'}
    >
      <VerifyStrip />
      <PlanStrip />
      {active.data && <RestoredStrip active={active.data.streams} />}
      <div className="grid gap-8">
        <section aria-labelledby="on-air-heading">
          <div className="mb-3 flex items-center justify-between gap-4">
            <h2 id="on-air-heading" className="text-sm font-bold text-ink-soft">
              Siaran
            </h2>
            <Link
              to="/fitur/analytics"
              className="inline-flex min-h-6 items-center text-sm font-semibold text-accent-ink underline"
            >
              Lihat analitik
            </Link>
          </div>
          <OnAir active={active} videos={library?.videos} />
        </section>
        <section aria-labelledby="usage-heading">
          <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
            <h2 id="usage-heading" className="text-sm font-bold text-ink-soft">
              Server dan penyimpanan
            </h2>
            <MachineCount />
          </div>
          <UsageTiles storage={library?.storage ?? null} />
        </section>
        <ComingNext most={UPCOMING_SHOWN} quiet />
      </div>
    </Page>
  )
}

export function DashboardScreen() {
  const stopped = useStopped()
  if (!stopped) return <Overview />
  return (
    <Page title={<Greeting />}>
      <AccessStopped standing={stopped} />
    </Page>
  )
}
