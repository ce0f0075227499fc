import { PLAYBACK_DELAY_MS } from '@siarin/contracts/limits'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { Video } from '@siarin/contracts/videos'
import { Hourglass, ListVideo, MonitorPlay, TriangleAlert } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { classes } from '../../lib/classes.ts'
import type { Picked } from '../../lib/picked.ts'
import { stateWords, technicalFacts } from '../library/video-facts.ts'
import { type PlaybackTrouble, startPlayback } from './playback.ts'

interface PlayerProps {
  picked: Picked | null
  /** Where it is found, where that is not known with the pick. */
  url?: string | null
  /** The picked one, where it is a video of the list. */
  video?: Video | undefined
  pickCount: number
  onTrouble: (trouble: PlaybackTrouble | 'no-player') => void
}

/** What stands in the picture's place: nothing is picked, or what is picked cannot be played yet. */
function hintFor(picked: Picked | null, url: string | null, video: Video | undefined) {
  if (!picked) return { Icon: MonitorPlay, text: 'Pilih video untuk melihatnya di sini.', state: null }
  if (url === null && picked.playlist)
    return { Icon: ListVideo, text: 'Video pertama playlist diputar di sini.', state: null }
  if (url === null) return { Icon: Hourglass, text: 'Menunggu gambar dari sumber online.', state: null }
  if (!video || video.status === 'ready') return null
  if (video.status === 'failed') {
    return { Icon: TriangleAlert, text: video.reason ?? VIDEO_TEXTS.failedEarlier, state: stateWords(video) }
  }
  return { Icon: Hourglass, text: 'Video ini akan diputar di sini begitu siap.', state: stateWords(video) }
}

export function Player({ picked, url: found = picked?.url ?? null, video, pickCount, onTrouble }: PlayerProps) {
  const element = useRef<HTMLVideoElement>(null)
  const hint = hintFor(picked, found, video)
  const url = hint ? null : found
  const facts = picked && video ? technicalFacts(video) : ''
  const tell = useEffectEvent(onTrouble)

  // biome-ignore lint/correctness/useExhaustiveDependencies: picking the same video again raises pickCount and plays it anew
  useEffect(() => {
    if (url === null) return
    let stop: () => void = () => {}
    const timer = setTimeout(() => {
      // A browser without videos makes an element that knows nothing; its fallback text shows.
      if (element.current instanceof HTMLVideoElement) stop = startPlayback(element.current, url, (what) => tell(what))
      else tell('no-player')
    }, PLAYBACK_DELAY_MS)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [url, pickCount])

  return (
    <div>
      <div className="relative aspect-video overflow-hidden rounded-card bg-raised">
        {/* biome-ignore lint/a11y/useMediaCaption: people's own videos come without captions */}
        <video
          ref={element}
          controls={hint === null}
          playsInline
          // As it is on air.
          loop={Boolean(picked?.streamId)}
          className={classes('size-full bg-black text-white', hint && 'invisible')}
        >
          Browser Anda tidak mendukung tag video.
        </video>
        {hint && (
          <div className="absolute inset-0 grid place-content-center justify-items-center gap-3 rounded-card bg-raised p-6 text-center">
            <hint.Icon aria-hidden size={32} strokeWidth={1.5} className="text-ink-soft" />
            <p className="max-w-[44ch] text-sm text-ink-soft">
              {hint.state && <strong className="block font-semibold text-ink tabular-nums">{hint.state}</strong>}
              {hint.text}
            </p>
          </div>
        )}
      </div>
      <p
        dir="auto"
        className="mt-3 truncate text-left text-base font-semibold"
        title={picked?.name}
        data-testid="current-video"
      >
        {picked?.name ?? 'Belum ada video dipilih'}
      </p>
      {/* Its line is there before its words are: what lies below does not move. */}
      <p className="mt-0.5 min-h-4 text-xs text-ink-soft tabular-nums">{facts}</p>
    </div>
  )
}
