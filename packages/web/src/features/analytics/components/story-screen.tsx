import type { BroadcastStory } from '@siarin/contracts/analytics'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useMemo } from 'react'
import { Link, useParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Page } from '../../../components/page.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { classes } from '../../../lib/classes.ts'
import { featureMessage, isAboutPlan, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { formatInstant, formatMoment } from '../../../lib/format.ts'
import { activeStreamsQuery } from '../../broadcasts/api/active-streams.ts'
import { PHASE_WORDS } from '../../broadcasts/stream-words.ts'
import { RecordingsLink } from '../../recordings/recordings-link.tsx'
import { AccessStopped } from '../../standing/access-stopped.tsx'
import { useStopped } from '../../standing/api/standing.ts'
import { ANALYTICS_PATH } from '../analytics-path.ts'
import { titleWords } from '../analytics-words.ts'
import { isUnknown, storyQuery } from '../api/analytics.ts'
import { storyFigures } from '../story-figures.ts'
import { type StoryLine, storyLines } from '../story-lines.ts'
import { BroadcastState } from './broadcast-state.tsx'
import { HeadFigures } from './head-figures.tsx'
import { PlanNote } from './plan-note.tsx'
import { StoryCharts } from './story-charts.tsx'

const TITLE = 'Riwayat siaran'
const STATE_POLL_MS = 5000

const Back = () => (
  <Link to={ANALYTICS_PATH} className={buttonStyle('quiet', 'normal', '-ml-5 md:ml-0')}>
    <ArrowLeft aria-hidden size={18} strokeWidth={1.75} />
    Semua analitik
  </Link>
)

function Lines({ lines }: { lines: readonly StoryLine[] }) {
  return (
    <Card className="p-4 sm:p-6" aria-labelledby="story-heading">
      <h2 id="story-heading" className="text-base font-bold">
        Kejadian
      </h2>
      <ol aria-labelledby="story-heading" className="mt-4 grid gap-2.5 border-l border-line pl-4">
        {lines.map((line) => (
          <li key={line.key} className="grid gap-x-4 text-sm sm:grid-cols-[8rem_1fr]" data-testid="story-line">
            <time dateTime={line.at} className="text-xs leading-5 whitespace-nowrap text-ink-soft tabular-nums">
              {formatInstant(line.at)}
            </time>
            <span className={classes('min-w-0 break-words', line.tone === 'trouble' && 'text-warn-ink')}>
              {line.words}
              {line.target !== null && <bdi className="block text-xs text-ink-soft">{line.target}</bdi>}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function leadOf({ startedAt, endedAt }: BroadcastStory): string {
  const begin = `Mulai ${formatMoment(startedAt)}`
  return endedAt === null ? begin : `${begin}, berakhir ${formatMoment(endedAt)}`
}

function Story({ story }: { story: BroadcastStory }) {
  const lines = useMemo(() => storyLines(story), [story])
  const isWanted = story.endedAt === null
  const { data } = useQuery({ ...activeStreamsQuery(), enabled: isWanted, refetchInterval: STATE_POLL_MS })
  return (
    <Page
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <bdi className="min-w-0 break-words">{titleWords(story.title)}</bdi>
          {isWanted ? (
            <BroadcastState broadcastId={story.broadcastId} active={data?.streams} />
          ) : (
            <Badge tone="neutral">{PHASE_WORDS.ended}</Badge>
          )}
        </span>
      }
      lead={leadOf(story)}
      action={
        <div className="flex flex-wrap items-center gap-2">
          <Back />
          <RecordingsLink broadcastId={story.broadcastId} />
        </div>
      }
    >
      <div className="grid grid-cols-1 gap-6">
        <HeadFigures figures={storyFigures(story)} />
        <StoryCharts story={story} lines={lines} />
        <Lines lines={lines} />
      </div>
    </Page>
  )
}

function Missing({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (isAboutPlan(error)) return <PlanNote text={featureMessage(error, REQUEST_FAILED)} />
  return (
    <Card>
      {isUnknown(error) ? (
        <EmptyState
          text="Siaran ini tidak ada di analitik Anda. Mungkin sudah terlalu lama, atau alamatnya keliru."
          action={
            <Link to={ANALYTICS_PATH} className={buttonStyle('secondary')}>
              Buka analitik
            </Link>
          }
        />
      ) : (
        <ErrorState text={featureMessage(error, REQUEST_FAILED)} onRetry={onRetry} />
      )}
    </Card>
  )
}

function AskedStory({ broadcastId }: { broadcastId: string }) {
  const { data, error, refetch } = useQuery(storyQuery(broadcastId))
  if (data) return <Story story={data} />
  return (
    <Page title={TITLE} lead={'\u00a0'} action={<Back />}>
      {error ? (
        <Missing error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="grid grid-cols-1 gap-6">
          <HeadFigures figures={undefined} />
          <Loading>
            <Skeleton className="h-90 rounded-card!" />
          </Loading>
        </div>
      )}
    </Page>
  )
}

/** One broadcast from its beginning to its end. */
export function StoryScreen() {
  const { broadcastId = '' } = useParams()
  const stopped = useStopped()
  if (!stopped) return <AskedStory key={broadcastId} broadcastId={broadcastId} />
  return (
    <Page title={TITLE}>
      <AccessStopped standing={stopped} />
    </Page>
  )
}
