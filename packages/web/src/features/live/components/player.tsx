import { PLAYBACK_DELAY_MS } from '@siarin/contracts/limits'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { Video } from '@siarin/contracts/videos'
import { Hourglass, MonitorPlay, TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { classes } from '../../../lib/classes.ts'
import { startPlayback } from '../playback.ts'
import type { Picked, Say } from '../state.ts'
import { stateWords, technicalFacts } from '../video-facts.ts'

interface PlayerProps {
  picked: Picked | null
  /** The picked one, where it is a video of the list. */
  video: Video | undefined
  pickCount: number
  say: Say
}

/** What stands in the picture's place: nothing is picked, or what is picked cannot be played yet. */
function hintFor(picked: Picked | null, video: Video | undefined) {
  if (!picked) return { Icon: MonitorPlay, text: 'Pilih video untuk melihatnya di sini.', state: null }
  if (!video || video.status === 'ready') return null
  if (video.status === 'failed') {
    return { Icon: TriangleAlert, text: video.reason ?? VIDEO_TEXTS.failedEarlier, state: stateWords(video) }
  }
  return { Icon: Hourglass, text: 'Video ini akan diputar di sini begitu siap.', state: stateWords(video) }
}

export function Player({ picked, video, pickCount, say }: PlayerProps) {
  const element = useRef<HTMLVideoElement>(null)
  const hint = hintFor(picked, video)
  const url = hint ? undefined : picked?.url
  const facts = picked && video ? technicalFacts(video) : ''

  // biome-ignore lint/correctness/useExhaustiveDependencies: picking the same video again raises pickCount and plays it anew
  useEffect(() => {
    if (url === undefined) return
    let stop: () => void = () => {}
    const timer = setTimeout(() => {
      if (element.current) stop = startPlayback(element.current, url, say)
      else say('Player tidak tersedia.', true)
    }, PLAYBACK_DELAY_MS)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [url, pickCount, say])

  return (
    <div>
      <div className="relative aspect-video overflow-hidden rounded-card bg-raised">
        {/* biome-ignore lint/a11y/useMediaCaption: people's own videos come without captions */}
        <video
          ref={element}
          controls={hint === null}
          playsInline
          className={classes('size-full bg-black', hint && 'invisible')}
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
      {facts && <p className="mt-0.5 text-xs text-ink-soft tabular-nums">{facts}</p>}
    </div>
  )
}
