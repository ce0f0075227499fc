import type { Video } from '@siarin/contracts/videos'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Radio } from 'lucide-react'
import { Link } from 'react-router'
import { buttonStyle } from '../../../components/button-styles.ts'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { featureMessage } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import type { ActiveStreams } from '../../broadcasts/api/active-streams.ts'
import { streamHistoryQuery } from '../../broadcasts/api/past-streams.ts'
import { headStreams } from '../head-streams.ts'
import { BroadcastCard } from './broadcast-card.tsx'
import { FirstStepsCard } from './first-steps-card.tsx'

const SKELETON_COLUMNS = ['one', 'two', 'three'] as const
const FAILED = 'Gagal mengambil data live stream.'

interface OnAirProps {
  active: UseQueryResult<ActiveStreams>
  videos: readonly Video[] | undefined
}

/** What is on air now; without anything, how to change that. */
export function OnAir({ active, videos }: OnAirProps) {
  const idle = active.data?.streams.length === 0
  const history = useQuery({ ...streamHistoryQuery(), enabled: idle, refetchOnMount: 'always' })

  if (active.data && !idle) {
    const { streams, bitrates } = active.data
    const { head, more } = headStreams(streams)
    return (
      <>
        <ul aria-label="Sedang tayang" className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {head.map(({ stream, others }, index) => (
            <li key={stream.streamId ?? index} className="grid min-w-0">
              <BroadcastCard
                stream={stream}
                others={others}
                video={videos?.find(({ filename }) => filename === (stream.playlist?.filename ?? stream.source))}
                samples={bitrates.samples[stream.streamId ?? ''] ?? []}
              />
            </li>
          ))}
        </ul>
        <p className="mt-3 flex flex-wrap gap-x-6 gap-y-2 text-sm font-semibold text-accent-ink">
          <Link to="/fitur/siaran" className="inline-flex min-h-6 items-center underline">
            {more > 0 ? `${more} siaran lainnya di ruang kontrol` : 'Buka ruang kontrol'}
          </Link>
          <Link to="/fitur/notifikasi" className="inline-flex min-h-6 items-center underline">
            Kabari saya bila terputus
          </Link>
        </p>
      </>
    )
  }

  const known = idle && history.data && videos
  if (known && history.data.length === 0) return <FirstStepsCard videos={videos} />
  if (known) {
    return (
      <Card>
        <EmptyState
          icon={Radio}
          text="Tidak ada siaran yang tayang saat ini."
          action={
            <Link to="/fitur/live" className={buttonStyle('primary')}>
              Mulai siaran
            </Link>
          }
        />
      </Card>
    )
  }

  const error = active.data ? history.error : active.error
  if (error && !(error instanceof SessionEndedError)) {
    return (
      <Card>
        <ErrorState
          text={featureMessage(error, FAILED)}
          onRetry={() => void (active.data ? history : active).refetch()}
        />
      </Card>
    )
  }
  return (
    <Loading>
      <Card className="grid min-h-46 content-start gap-6 p-6">
        <Skeleton className="h-6 w-2/5" />
        <div className="grid gap-5 md:grid-cols-3">
          {SKELETON_COLUMNS.map((column) => (
            <div key={column} className="flex gap-3">
              <Skeleton className="size-8 shrink-0 rounded-full!" />
              <div className="grid flex-1 gap-2">
                <Skeleton className="h-5 w-1/2" />
                <Skeleton className="h-8" />
              </div>
            </div>
          ))}
        </div>
      </Card>
    </Loading>
  )
}
