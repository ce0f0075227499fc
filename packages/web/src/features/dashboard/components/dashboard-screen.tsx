import { useQuery } from '@tanstack/react-query'
import { Page } from '../../../components/page.tsx'
import { useSession } from '../../../lib/session.ts'
import { activeStreamsQuery } from '../../live/api/active-streams.ts'
import { videosPoll, videosQuery } from '../../live/api/videos.ts'
import { broadcastWords } from '../broadcast-words.ts'
import { OnAir } from './on-air.tsx'
import { UsageTiles } from './usage-tiles.tsx'

const STREAMS_POLL_MS = 5000
/** How soon the list of videos is asked for again after it could not be had. */
const AGAIN_MS = 5000

export function DashboardScreen() {
  const { user } = useSession()
  const active = useQuery({ ...activeStreamsQuery(), refetchOnMount: 'always', refetchInterval: STREAMS_POLL_MS })
  const { data: library } = useQuery({
    ...videosQuery(),
    refetchInterval: ({ state }) => (state.data ? videosPoll(state.data) : AGAIN_MS),
  })
  return (
    <Page
      title={
        <>
          Welcome back, <bdi>{user?.username || 'User'}</bdi>!
        </>
      }
      // Its line is there before it is known, so that nothing below moves.
      lead={active.data ? broadcastWords(active.data.streams) : '\u00a0'}
    >
      <div className="grid gap-8">
        <section aria-labelledby="on-air-heading">
          <h2 id="on-air-heading" className="mb-3 text-sm font-bold text-ink-soft">
            Siaran
          </h2>
          <OnAir active={active} videos={library?.videos} />
        </section>
        <section aria-labelledby="usage-heading">
          <h2 id="usage-heading" className="mb-3 text-sm font-bold text-ink-soft">
            Server dan penyimpanan
          </h2>
          <UsageTiles storage={library?.storage ?? null} />
        </section>
      </div>
    </Page>
  )
}
