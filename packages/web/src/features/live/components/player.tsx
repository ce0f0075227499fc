import { PLAYBACK_DELAY_MS } from '@siarin/contracts/limits'
import { MonitorPlay } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { classes } from '../../../lib/classes.ts'
import { startPlayback } from '../playback.ts'
import type { Picked, Say } from '../state.ts'

interface PlayerProps {
  picked: Picked | null
  pickCount: number
  say: Say
}

export function Player({ picked, pickCount, say }: PlayerProps) {
  const video = useRef<HTMLVideoElement>(null)
  const url = picked?.url

  // biome-ignore lint/correctness/useExhaustiveDependencies: picking the same video again raises pickCount and plays it anew
  useEffect(() => {
    if (url === undefined) return
    let stop: () => void = () => {}
    const timer = setTimeout(() => {
      if (video.current) stop = startPlayback(video.current, url, say)
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
          ref={video}
          controls={picked !== null}
          playsInline
          className={classes('size-full bg-black', !picked && 'invisible')}
        >
          Browser Anda tidak mendukung tag video.
        </video>
        {!picked && (
          <div className="absolute inset-0 grid place-content-center justify-items-center gap-3 rounded-card bg-raised p-6 text-center">
            <MonitorPlay aria-hidden size={32} strokeWidth={1.5} className="text-ink-soft" />
            <p className="text-sm text-ink-soft">Pilih video untuk melihatnya di sini.</p>
          </div>
        )}
      </div>
      <p className="mt-3 truncate text-base font-semibold" data-testid="current-video">
        {picked?.name ?? 'Belum ada video dipilih'}
      </p>
    </div>
  )
}
