import type { Recording } from '@siarin/contracts/recordings'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowLeft, ChevronRight, Clapperboard } from 'lucide-react'
import { Link } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FactLine } from '../../../components/fact-line.tsx'
import { Page } from '../../../components/page.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { recordingsQuery } from '../api/recordings.ts'
import { RECORDINGS_PATH, recordingPath } from '../recording-path.ts'
import { nameWords, recordingFacts } from '../recording-words.ts'
import { KeptUntil } from './kept-until.tsx'
import { RecordingPicture } from './recording-picture.tsx'

const LEAD = 'Yang pernah Anda siarkan: putar lagi, potong, unduh, atau siarkan ulang.'
const SKELETON_ROWS = ['one', 'two', 'three'] as const

function RecordingRow({ recording }: { recording: Recording }) {
  const name = nameWords(recording)
  return (
    <li>
      <Link
        to={recordingPath(recording.recordingId)}
        className="flex items-start gap-3 px-4 py-3 -outline-offset-2 hover:bg-raised sm:items-center sm:gap-4 sm:px-6"
      >
        <RecordingPicture recording={recording} />
        <span className="grid min-w-0 flex-1 gap-0.5">
          <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <bdi className="min-w-0 truncate text-sm font-semibold" title={name}>
              {name}
            </bdi>
            {recording.state === 'recording' && <Badge tone="on-air">Sedang direkam</Badge>}
          </span>
          <FactLine facts={recordingFacts(recording)} />
          {recording.endedWhy && <span className="text-xs text-pretty text-warn-ink">{recording.endedWhy}</span>}
          <KeptUntil until={recording.keptUntil} />
        </span>
        <ChevronRight aria-hidden size={18} strokeWidth={1.75} className="shrink-0 text-ink-soft max-sm:hidden" />
      </Link>
    </li>
  )
}

function Nothing({ ofOne }: { ofOne: boolean }) {
  return ofOne ? (
    <EmptyState icon={Clapperboard} text="Siaran ini tidak punya rekaman, atau masa simpannya sudah habis." />
  ) : (
    <EmptyState
      icon={Clapperboard}
      text="Belum ada rekaman. Centang “Rekam siaran” di tab Go sebelum mulai, dan siarannya muncul di sini."
      action={
        <Link to="/fitur/live?tab=go" className={buttonStyle('primary')}>
          Buka tab Go
        </Link>
      }
    />
  )
}

export function RecordingList({ broadcastId }: { broadcastId: string | null }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    recordingsQuery(broadcastId),
  )
  const recordings = data?.pages.flatMap((page) => page.recordings)
  const ofOne = broadcastId !== null
  return (
    <Page
      title="Rekaman"
      lead={ofOne ? 'Rekaman dari satu siaran.' : LEAD}
      action={
        ofOne && (
          <Link to={RECORDINGS_PATH} className={buttonStyle('quiet', 'normal', '-ml-5 md:ml-0')}>
            <ArrowLeft aria-hidden size={18} strokeWidth={1.75} />
            Semua rekaman
          </Link>
        )
      }
    >
      <Card className="min-w-0 overflow-clip">
        {recordings ? (
          recordings.length > 0 ? (
            <ul aria-label="Rekaman Anda" className="divide-y divide-line">
              {recordings.map((recording) => (
                <RecordingRow key={recording.recordingId} recording={recording} />
              ))}
            </ul>
          ) : (
            <Nothing ofOne={ofOne} />
          )
        ) : error && !(error instanceof SessionEndedError) ? (
          <ErrorState text={featureMessage(error, REQUEST_FAILED)} onRetry={() => void refetch()} />
        ) : (
          <Loading className="divide-y divide-line">
            {SKELETON_ROWS.map((row) => (
              <div key={row} className="flex gap-4 px-4 py-3 sm:px-6">
                <Skeleton className="h-[54px] w-24 shrink-0 sm:h-[72px] sm:w-32" />
                <div className="grid flex-1 content-center gap-2">
                  <Skeleton className="h-4 w-2/5" />
                  <Skeleton className="h-3 w-3/5" />
                </div>
              </div>
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
    </Page>
  )
}
