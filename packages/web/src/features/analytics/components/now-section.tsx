import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Card } from '../../../components/card.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { formatBitrate } from '../../../lib/format.ts'
import { activeStreamsQuery, type StreamRowData } from '../../broadcasts/api/active-streams.ts'
import { StreamState } from '../../broadcasts/stream-state.tsx'
import { reconnectWords, shownPhase, sourceWords } from '../../broadcasts/stream-words.ts'
import { useStreamsFeed } from '../../broadcasts/use-streams-feed.ts'
import type { KnownStanding } from '../../standing/api/standing.ts'
import { accessOf, extraRefusal } from '../access.ts'
import { speedWords } from '../analytics-words.ts'
import { useLiveFeed } from '../use-live-feed.ts'
import { LiveCardHead, LiveCards } from './live-cards.tsx'
import { LIVE_GRID, LiveGrid } from './live-grid.tsx'
import { PlanNote } from './plan-note.tsx'

/** While nothing is pushed. */
const STREAMS_POLL_MS = 5000

const NOTHING = 'Tidak ada yang tayang saat ini.'

function Nothing() {
  return (
    <Card className="px-4 py-5 text-sm text-ink-soft sm:px-6">
      <p>{NOTHING}</p>
    </Card>
  )
}

const Waiting = () => (
  <Loading className={LIVE_GRID}>
    <Skeleton className="h-40 rounded-card!" />
  </Loading>
)

function MovingNow() {
  const { at, figures } = useLiveFeed(true)
  if (!figures) {
    if (at === 'waiting') return <Waiting />
    return (
      <Card className="px-4 py-5 text-sm text-ink-soft sm:px-6">
        <p role="status">Grafik langsung sedang tidak tersambung. Siarin mencoba lagi.</p>
      </Card>
    )
  }
  if (figures.streams.length === 0) return <Nothing />
  return (
    <>
      <LiveCards figures={figures} />
      {at === 'broken' && (
        <p role="status" className="mt-2 text-xs text-ink-soft">
          Sambungan terputus; angka ini yang terakhir diketahui. Siarin mencoba lagi.
        </p>
      )}
    </>
  )
}

function FigureCard({ stream }: { stream: StreamRowData }) {
  const phase = shownPhase(stream)
  const { broadcastId, streamId, platform = 'lain', targetName = null, bitrate, speed } = stream
  const isLive = stream.state === 'live'
  const reconnected = reconnectWords(stream)
  return (
    <li className="grid min-w-0 grid-cols-1">
      <Card className="grid min-w-0 grid-cols-1 content-start gap-1 p-4">
        <LiveCardHead
          stream={{
            broadcastId: broadcastId ?? streamId ?? '',
            title: stream.title || sourceWords(stream),
            platform,
            targetName,
          }}
          badge={phase && <StreamState phase={phase} />}
        />
        <p className="mt-1 flex items-baseline justify-between gap-3 tabular-nums">
          <span className="text-lg font-bold whitespace-nowrap">
            {isLive && typeof bitrate === 'number' ? formatBitrate(bitrate) : '–'}
          </span>
          <span className="text-xs whitespace-nowrap text-ink-soft">{isLive && speedWords(speed ?? null)}</span>
        </p>
        {reconnected && <p className="text-xs text-ink-soft tabular-nums">{reconnected}</p>}
      </Card>
    </li>
  )
}

/** The figures without their course: what every plan shows. */
function FiguresNow({ refusal }: { refusal: string }) {
  const pushed = useStreamsFeed()
  const { data } = useQuery({
    ...activeStreamsQuery(),
    refetchOnMount: 'always',
    refetchInterval: pushed ? false : STREAMS_POLL_MS,
  })
  if (!data) return <Waiting />
  return (
    <div className="grid grid-cols-1 gap-3">
      {data.streams.length === 0 ? (
        <Nothing />
      ) : (
        <LiveGrid>
          {data.streams.map((stream, index) => (
            <FigureCard key={stream.streamId ?? index} stream={stream} />
          ))}
        </LiveGrid>
      )}
      <PlanNote text={refusal} />
    </div>
  )
}

/** What is on air at this moment. */
export function NowSection({ standing }: { standing: KnownStanding | undefined }) {
  const headingId = useId()
  const refusal = extraRefusal(standing, 'live')
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-3 text-sm font-bold text-ink-soft">
        Sekarang
      </h2>
      {!standing ? <Waiting /> : accessOf(standing).live ? <MovingNow /> : <FiguresNow refusal={refusal ?? ''} />}
    </section>
  )
}
