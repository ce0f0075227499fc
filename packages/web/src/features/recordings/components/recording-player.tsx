import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import type { RecordingDetails } from '@siarin/contracts/recordings'
import { Hourglass } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { classes } from '../../../lib/classes.ts'
import { type PlaybackTrouble, startPlayback } from '../../player/playback.ts'
import { pictureUrl, playlistUrl } from '../api/recordings.ts'

const FAILED = 'Rekaman ini tidak bisa diputar. Muat ulang halaman, atau unduh rekamannya.'

const TROUBLES: Record<PlaybackTrouble, string> = {
  'autoplay-blocked': 'Klik play untuk memutar rekaman.',
  failed: FAILED,
  'hls-unsupported': 'Browser ini tidak bisa memutar rekaman. Unduh rekamannya untuk menonton.',
  'hls-reconnecting': 'Koneksi ke rekaman terputus, mencoba lagi…',
  'hls-failed': FAILED,
  'preview-ended': RECORDING_TEXTS.gone,
}

interface RecordingPlayerProps {
  recording: Pick<RecordingDetails, 'recordingId' | 'hasPicture' | 'seconds'>
  element: RefObject<HTMLVideoElement | null>
  onTime: (seconds: number) => void
}

/** Ready to play from its beginning. */
export function RecordingPlayer({ recording, element, onTime }: RecordingPlayerProps) {
  const { recordingId, hasPicture } = recording
  const [trouble, setTrouble] = useState<PlaybackTrouble | null>(null)
  // A new ticket would begin the film anew: the address stays what it was when it was opened.
  const [addresses] = useState(() => ({ film: playlistUrl(recordingId), picture: pictureUrl(recordingId) }))
  const isEmpty = recording.seconds <= 0

  useEffect(() => {
    const video = element.current
    if (isEmpty || !(video instanceof HTMLVideoElement)) return
    return startPlayback(video, addresses.film, setTrouble, { autoplay: false })
  }, [addresses, element, isEmpty])

  return (
    <div>
      <div className="relative aspect-video overflow-hidden rounded-card bg-raised">
        <video
          ref={element}
          controls={!isEmpty}
          playsInline
          preload="metadata"
          aria-label="Rekaman"
          {...(hasPicture && { poster: addresses.picture })}
          className={classes('size-full bg-black text-white', isEmpty && 'invisible')}
          onPlaying={() => setTrouble(null)}
          onTimeUpdate={(event) => onTime(event.currentTarget.currentTime)}
          onSeeking={(event) => onTime(event.currentTarget.currentTime)}
        >
          Browser Anda tidak mendukung tag video.
        </video>
        {isEmpty && (
          <div className="absolute inset-0 grid place-content-center justify-items-center gap-3 p-6 text-center">
            <Hourglass aria-hidden size={32} strokeWidth={1.5} className="text-ink-soft" />
            <p className="max-w-[44ch] text-sm text-ink-soft">Bagian pertama rekaman muncul sebentar lagi.</p>
          </div>
        )}
      </div>
      <p role="status" className={trouble ? 'mt-2 text-sm font-medium text-pretty text-warn-ink' : 'sr-only'}>
        {trouble && TROUBLES[trouble]}
      </p>
    </div>
  )
}
