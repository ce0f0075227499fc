import type { AnalyticsBroadcast } from '@siarin/contracts/analytics'
import { PLATFORM_FACTS } from '@siarin/contracts/platforms'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FactLine } from '../../../components/fact-line.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { formatMoment, formatNumber } from '../../../lib/format.ts'
import { activeStreamsQuery, type StreamRowData } from '../../broadcasts/api/active-streams.ts'
import { storyPath } from '../analytics-path.ts'
import { hoursWords, shareWords, titleWords } from '../analytics-words.ts'
import { analyticsBroadcastsQuery } from '../api/analytics.ts'
import type { DayRange } from '../range.ts'
import { BroadcastState } from './broadcast-state.tsx'

/** The header asks for it too, more rarely while all is steady. */
const STATES_POLL_MS = 5000

const SKELETON_ROWS = ['one', 'two', 'three'] as const

const factsOf = (broadcast: AnalyticsBroadcast): string[] => [
  formatMoment(broadcast.startedAt),
  [...new Set(broadcast.platforms)].map((platform) => PLATFORM_FACTS[platform].label).join(', '),
  ...(broadcast.scheduled ? ['terjadwal'] : []),
]

interface BroadcastRowProps {
  broadcast: AnalyticsBroadcast
  active: readonly StreamRowData[] | undefined
}

function BroadcastRow({ broadcast, active }: BroadcastRowProps) {
  return (
    <li>
      <Link
        to={storyPath(broadcast.broadcastId)}
        className="flex min-h-16 items-center gap-3 px-4 py-3 -outline-offset-2 hover:bg-raised sm:px-6"
      >
        <span className="grid min-w-0 flex-1">
          <span className="flex min-w-0 items-center gap-2">
            <bdi className="truncate text-sm font-semibold">{titleWords(broadcast.title)}</bdi>
            {broadcast.endedAt === null && <BroadcastState broadcastId={broadcast.broadcastId} active={active} />}
          </span>
          <FactLine facts={factsOf(broadcast)} />
        </span>
        <span className="grid shrink-0 justify-items-end text-right text-xs tabular-nums">
          <span className="text-sm font-semibold whitespace-nowrap">{hoursWords(broadcast.onAirSeconds)}</span>
          <span className="whitespace-nowrap text-ink-soft">
            {shareWords(broadcast.onAirPercent)}
            {broadcast.incidents > 0 && ` · ${formatNumber(broadcast.incidents)} gangguan`}
          </span>
        </span>
        <ChevronRight aria-hidden size={18} strokeWidth={1.75} className="shrink-0 text-ink-soft" />
      </Link>
    </li>
  )
}

/** Every broadcast of these days, each with a page of its own. */
export function BroadcastList({ range }: { range: DayRange }) {
  const headingId = useId()
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    analyticsBroadcastsQuery(range),
  )
  const active = useQuery({ ...activeStreamsQuery(), refetchInterval: STATES_POLL_MS })
  const broadcasts = data?.pages.flatMap((page) => page.data)
  return (
    <Card aria-labelledby={headingId} className="overflow-hidden">
      <h2 id={headingId} className="px-4 pt-4 pb-2 text-base font-bold sm:px-6 sm:pt-6">
        Siaran
      </h2>
      {broadcasts ? (
        <ul aria-labelledby={headingId} className="divide-y divide-line">
          {broadcasts.map((broadcast) => (
            <BroadcastRow key={broadcast.broadcastId} broadcast={broadcast} active={active.data?.streams} />
          ))}
        </ul>
      ) : error ? (
        <ErrorState text={featureMessage(error, REQUEST_FAILED)} onRetry={() => void refetch()} />
      ) : (
        <Loading className="grid gap-3 px-4 pb-4 sm:px-6">
          {SKELETON_ROWS.map((row) => (
            <Skeleton key={row} className="h-13" />
          ))}
        </Loading>
      )}
      {hasNextPage && (
        <div className="border-t border-line p-2 text-center">
          <Button
            look="quiet"
            size="small"
            busy={isFetchingNextPage}
            disabled={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            Muat lagi
          </Button>
        </div>
      )}
    </Card>
  )
}
