import type { RecordingDetails } from '@siarin/contracts/recordings'
import type { Video } from '@siarin/contracts/videos'
import { CircleCheck, Download, Film } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import { Card } from '../../../components/card.tsx'
import { usePageTicket } from '../../../lib/page-ticket.ts'
import { fileUrl } from '../api/recordings.ts'
import { type Choice, edgeHere } from '../choice.ts'
import { choiceWords, downloadSize } from '../recording-words.ts'
import type { TimeLine } from '../time-line.ts'
import { TimeLineBar } from './time-line-bar.tsx'
import { UseVideoDialog } from './use-video-dialog.tsx'

interface PartCardProps {
  recording: RecordingDetails
  line: TimeLine
  position: number
  onSeek: (seconds: number) => void
}

/** It is being made, and where it will be found. */
function MadeNote({ video }: { video: Video }) {
  return (
    <p className="flex items-start gap-2.5 rounded-control border border-line bg-raised px-3.5 py-3 text-sm text-pretty">
      <CircleCheck aria-hidden size={20} strokeWidth={1.75} className="shrink-0 text-accent-ink" />
      <span className="min-w-0 break-words">
        <bdi className="font-semibold">{video.filename}</bdi> sedang disiapkan.{' '}
        <Link to="/fitur/live?tab=lokal" className="font-semibold text-accent-ink underline">
          Lihat di perpustakaan
        </Link>
      </span>
    </p>
  )
}

/** The time line, what is chosen on it, and what can be done with that. */
export function PartCard({ recording, line, position, onSeek }: PartCardProps) {
  const [choice, setChoice] = useState<Choice>(null)
  const [asking, setAsking] = useState(false)
  const [made, setMade] = useState<Video | null>(null)
  // Its address has a ticket, which is renewed now and then.
  usePageTicket()
  const size = downloadSize(recording, choice)
  const here = (edge: 'from' | 'to') => () => setChoice(edgeHere(choice, edge, position, line.seconds))
  const isEmpty = line.seconds <= 0
  return (
    <Card className="min-w-0 p-4 sm:p-6" aria-labelledby="part-heading">
      <h2 id="part-heading" className="text-base font-bold">
        Garis waktu
      </h2>
      <p className="mt-0.5 text-sm text-pretty text-ink-soft">
        Klik untuk melompat. Geser kedua pegangan untuk memilih satu bagian.
      </p>
      {!isEmpty && (
        <div className="mt-5">
          <TimeLineBar line={line} position={position} choice={choice} onSeek={onSeek} onChoice={setChoice} />
        </div>
      )}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-sm font-semibold tabular-nums" data-testid="chosen-part">
          {choiceWords(choice, line)}
        </p>
        <div className="-mx-3.5 flex flex-wrap gap-x-1">
          <Button look="quiet" size="small" disabled={isEmpty} onClick={here('from')}>
            Mulai dari sini
          </Button>
          <Button look="quiet" size="small" disabled={isEmpty} onClick={here('to')}>
            Sampai di sini
          </Button>
          {choice && (
            <Button look="quiet" size="small" onClick={() => setChoice(null)}>
              Pilih semua
            </Button>
          )}
        </div>
      </div>
      {!isEmpty && (
        <div className="mt-4 flex flex-wrap items-center gap-3 border-t border-line pt-4">
          <a href={fileUrl(recording.recordingId, choice ?? {})} download className={buttonStyle('primary')}>
            <Download aria-hidden size={18} strokeWidth={1.75} />
            {choice ? 'Unduh bagian ini' : 'Unduh'}
          </a>
          <Button look="secondary" onClick={() => setAsking(true)}>
            <Film aria-hidden size={18} strokeWidth={1.75} />
            Pakai sebagai video
          </Button>
          {size && <span className="text-xs text-ink-soft tabular-nums">{size}</span>}
        </div>
      )}
      <div role="status" className={made ? 'mt-4' : undefined}>
        {made && <MadeNote video={made} />}
      </div>
      {asking && (
        <UseVideoDialog
          recording={recording}
          choice={choice}
          part={choiceWords(choice, line)}
          onMade={(video) => {
            setMade(video)
            setAsking(false)
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  )
}
