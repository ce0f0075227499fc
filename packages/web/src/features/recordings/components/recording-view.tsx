import type { RecordingDetails } from '@siarin/contracts/recordings'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Clapperboard, Trash2 } from 'lucide-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Page } from '../../../components/page.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { formatMoment, formatSpan } from '../../../lib/format.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { isUnknown, recordingQuery } from '../api/recordings.ts'
import { RECORDINGS_PATH } from '../recording-path.ts'
import { interruptionWords, nameWords, roomWords } from '../recording-words.ts'
import { timeLineOf } from '../time-line.ts'
import { useRemoveRecording } from '../use-remove-recording.ts'
import { InterruptionList } from './interruption-list.tsx'
import { KeptUntil } from './kept-until.tsx'
import { PartCard } from './part-card.tsx'
import { RecordingPlayer } from './recording-player.tsx'

const TITLE = 'Rekaman'

const Back = () => (
  <Link to={RECORDINGS_PATH} className={buttonStyle('quiet', 'normal', '-ml-5 md:ml-0')}>
    <ArrowLeft aria-hidden size={18} strokeWidth={1.75} />
    Semua rekaman
  </Link>
)

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4 py-2 first:pt-0">
      <dt className="shrink-0 text-ink-soft">{name}</dt>
      <dd className="min-w-0 text-right font-semibold break-words tabular-nums">{children}</dd>
    </div>
  )
}

function FactsCard({ recording }: { recording: RecordingDetails }) {
  const navigate = useNavigate()
  const { askRemove, removing } = useRemoveRecording(() => void navigate(RECORDINGS_PATH, { replace: true }))
  const isRecording = recording.state === 'recording'
  return (
    <Card className="min-w-0 p-4 sm:p-6" aria-label="Tentang rekaman ini">
      <dl className="divide-y divide-line text-sm">
        <Fact name="Sumber">
          <bdi>{recording.sourceName}</bdi>
        </Fact>
        <Fact name="Mulai">{formatMoment(recording.startedAt)}</Fact>
        <Fact name="Selesai">{isRecording ? 'masih berlangsung' : formatMoment(recording.endedAt)}</Fact>
        <Fact name="Lama tayang">{formatSpan(recording.seconds)}</Fact>
        <Fact name="Ruang">{roomWords(recording)}</Fact>
        <Fact name="Gangguan">{interruptionWords(recording.interruptions)}</Fact>
      </dl>
      {recording.endedWhy && (
        <p className="mt-2 rounded-control border border-warn-line bg-warn-wash px-3.5 py-2.5 text-sm text-pretty text-warn-ink">
          {recording.endedWhy}
        </p>
      )}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        {isRecording ? (
          <span className="min-w-0 flex-1 text-xs text-pretty text-ink-soft">
            Bisa dihapus setelah siarannya selesai.
          </span>
        ) : (
          <KeptUntil until={recording.keptUntil} />
        )}
        <Button
          look="danger"
          size="small"
          busy={removing}
          disabled={removing || isRecording}
          onClick={() => void askRemove(recording)}
        >
          <Trash2 aria-hidden size={18} strokeWidth={1.75} />
          Hapus
        </Button>
      </div>
    </Card>
  )
}

function Loaded({ recording }: { recording: RecordingDetails }) {
  const line = useMemo(() => timeLineOf(recording), [recording])
  const video = useRef<HTMLVideoElement>(null)
  const [position, setPosition] = useState(0)
  const seek = (seconds: number): void => {
    setPosition(seconds)
    if (video.current) video.current.currentTime = seconds
  }
  return (
    <Page
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <bdi className="min-w-0 break-words">{nameWords(recording)}</bdi>
          {recording.state === 'recording' && <Badge tone="on-air">Sedang direkam</Badge>}
        </span>
      }
      action={<Back />}
    >
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-6">
          <RecordingPlayer recording={recording} element={video} onTime={setPosition} />
          <PartCard recording={recording} line={line} position={position} onSeek={seek} />
        </div>
        <div className="grid min-w-0 gap-6">
          <FactsCard recording={recording} />
          <InterruptionList gaps={line.gaps} count={recording.interruptions} onSeek={seek} />
        </div>
      </div>
    </Page>
  )
}

function Missing({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Card>
      {isUnknown(error) ? (
        <EmptyState
          icon={Clapperboard}
          text="Rekaman ini tidak ada. Mungkin sudah dihapus, atau masa simpannya habis."
          action={
            <Link to={RECORDINGS_PATH} className={buttonStyle('secondary')}>
              Buka semua rekaman
            </Link>
          }
        />
      ) : (
        <ErrorState text={featureMessage(error, REQUEST_FAILED)} onRetry={onRetry} />
      )}
    </Card>
  )
}

/** One recording: seen, cut, had and deleted. */
export function RecordingView({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(recordingQuery(id))
  if (data) return <Loaded recording={data} />
  return (
    <Page title={TITLE} action={<Back />}>
      {error && !(error instanceof SessionEndedError) ? (
        <Missing error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <Skeleton className="aspect-video rounded-card!" />
          <Skeleton className="h-72 rounded-card!" />
        </Loading>
      )}
    </Page>
  )
}
