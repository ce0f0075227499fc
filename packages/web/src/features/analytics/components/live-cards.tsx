import type { LiveFigures } from '@siarin/contracts/analytics'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Card } from '../../../components/card.tsx'
import { PlatformMark } from '../../../components/platform-mark.tsx'
import { formatBitrate } from '../../../lib/format.ts'
import { activeStreamsQuery, type StreamRowData } from '../../broadcasts/api/active-streams.ts'
import { StreamState } from '../../broadcasts/stream-state.tsx'
import { storyPath } from '../analytics-path.ts'
import { fpsWords, HEALTH_TONES, HEALTH_WORDS, speedWords, targetWords, titleWords } from '../analytics-words.ts'
import { TimeChart } from '../chart/time-chart.tsx'
import { pointWords } from '../chart/time-points.ts'
import { LIVE_WINDOW_SECONDS, type LiveStream } from '../live-figures.ts'
import { lastOf, pointsOf } from '../series-points.ts'
import { offAirPhase } from '../state-words.ts'
import { LiveGrid } from './live-grid.tsx'

const CHART_HEIGHT = 64
/** Below it the line is drawn low: small changes of a small bitrate are not to look large. */
const LEAST_KBPS = 200

interface CardHeadProps {
  stream: Pick<LiveStream, 'broadcastId' | 'title' | 'platform' | 'targetName'>
  badge: ReactNode
}

export function LiveCardHead({ stream, badge }: CardHeadProps) {
  return (
    <>
      <div className="flex min-w-0 items-start justify-between gap-2">
        <Link
          to={storyPath(stream.broadcastId)}
          dir="auto"
          className="min-w-0 truncate text-left text-sm font-semibold hover:underline"
        >
          {titleWords(stream.title)}
        </Link>
        {badge}
      </div>
      <p className="flex min-w-0 items-center gap-1.5 text-xs text-ink-soft">
        <PlatformMark platform={stream.platform} className="size-3.5" />
        <bdi className="truncate">{targetWords(stream)}</bdi>
      </p>
    </>
  )
}

interface LiveCardProps {
  stream: LiveStream
  endsAt: number
  active: readonly StreamRowData[]
}

function LiveCard({ stream, endsAt, active }: LiveCardProps) {
  const points = pointsOf(stream.series)
  const last = points.at(-1)
  const words = !last || last.value === 'off-air' ? '–' : pointWords(last, formatBitrate)
  return (
    <li className="grid min-w-0 grid-cols-1">
      <Card className="grid min-w-0 grid-cols-1 content-start gap-1 p-4" aria-label={titleWords(stream.title)}>
        <LiveCardHead
          stream={stream}
          badge={
            stream.health === 'off' ? (
              <StreamState phase={offAirPhase(stream, active)} />
            ) : (
              <Badge tone={HEALTH_TONES[stream.health]}>{HEALTH_WORDS[stream.health]}</Badge>
            )
          }
        />
        <p className="mt-1 flex items-baseline justify-between gap-3 tabular-nums">
          <span className="text-lg font-bold whitespace-nowrap">{words}</span>
          {typeof last?.value === 'number' && (
            <span className="text-xs whitespace-nowrap text-ink-soft">
              {[fpsWords(lastOf(stream.series, 'fps')), speedWords(lastOf(stream.series, 'speed'))]
                .filter((word) => word !== null)
                .join(' · ')}
            </span>
          )}
        </p>
        <TimeChart
          label={`Bitrate sepuluh menit terakhir, sekarang ${words}`}
          points={points}
          from={endsAt - LIVE_WINDOW_SECONDS * 1000}
          to={endsAt}
          format={formatBitrate}
          height={CHART_HEIGHT}
          tone={stream.health === 'good' ? 'healthy' : 'trouble'}
          least={LEAST_KBPS}
          quiet
        />
      </Card>
    </li>
  )
}

/** Each stream's last ten minutes, moving with what is pushed. */
export function LiveCards({ figures }: { figures: LiveFigures }) {
  const endsAt = Date.parse(figures.at)
  const { data } = useQuery(activeStreamsQuery())
  return (
    <LiveGrid>
      {figures.streams.map((stream) => (
        <LiveCard key={stream.streamId} stream={stream} endsAt={endsAt} active={data?.streams ?? []} />
      ))}
    </LiveGrid>
  )
}
