import type { Video, VideoPreparation } from '@siarin/contracts/videos'
import { Film } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { PlatformBadge } from '../../../components/platform-mark.tsx'
import { Sparkline } from '../../../components/sparkline.tsx'
import { classes } from '../../../lib/classes.ts'
import { formatBitrate } from '../../../lib/format.ts'
import { useNow } from '../../../lib/use-now.ts'
import type { StreamRowData } from '../../broadcasts/api/active-streams.ts'
import { OnAirClock } from '../../broadcasts/on-air-clock.tsx'
import { AwaitsVideoBadge, StandInBadge, StreamState } from '../../broadcasts/stream-state.tsx'
import { nextTryWords, shownPhase, sourceWords } from '../../broadcasts/stream-words.ts'
import { thumbnailUrl } from '../../library/api/videos.ts'
import { preparationWords } from '../../library/video-facts.ts'

/** Why it is not on air, and what happens next, which no reason is too long for. */
function OffAir({ stream }: { stream: StreamRowData }) {
  const now = useNow()
  const words = stream.state === 'waiting' ? nextTryWords(stream.nextTryAt, now) : null
  return (
    <span className="grid content-start gap-1 text-warn-ink">
      <span className={classes('line-clamp-3 break-words', stream.reason ? 'text-xs' : 'text-sm')}>
        {stream.reason ?? 'Menunggu platform menjawab…'}
      </span>
      {words && <span className="text-sm whitespace-nowrap tabular-nums">Siarin {words}.</span>}
    </span>
  )
}

/** Nothing is wrong: it waits for its video, which is on its way. */
function Preparation({ preparation, reason }: { preparation: VideoPreparation; reason: string | null | undefined }) {
  return (
    <span className="grid content-start gap-1 text-ink-soft">
      <span className="text-sm tabular-nums">{preparationWords(preparation)}</span>
      <span className="line-clamp-2 text-xs break-words">{reason}</span>
    </span>
  )
}

function Picture({ video }: { video: Video | undefined }) {
  const [broken, setBroken] = useState(false)
  return (
    <span className="grid h-[54px] w-24 shrink-0 place-items-center overflow-hidden rounded-[8px] bg-pressed text-ink-soft">
      {video?.hasThumbnail && !broken ? (
        <img
          src={thumbnailUrl(video.filename)}
          alt=""
          width={96}
          height={54}
          decoding="async"
          className="size-full object-cover"
          onError={() => setBroken(true)}
        />
      ) : (
        <Film aria-hidden size={20} strokeWidth={1.75} />
      )}
    </span>
  )
}

interface BroadcastCardProps {
  stream: StreamRowData
  /** What it plays, where that is one of the person's own videos. */
  video: Video | undefined
  samples: readonly number[]
  /** How many more targets it goes to. */
  others: number
}

/** One broadcast as its owner sees it in passing: is it on air, since when, how well. */
export function BroadcastCard({ stream, video, samples, others }: BroadcastCardProps) {
  const phase = shownPhase(stream)
  const onAir = stream.state === 'live'
  return (
    <Link
      to="/fitur/live?tab=live"
      className={classes(
        'grid min-w-0 content-start gap-3 rounded-card border bg-card p-5 transition-colors hover:border-accent-line',
        phase === 'waiting' ? 'border-warn-line' : 'border-line',
      )}
    >
      <span className="flex min-w-0 items-center gap-4">
        <Picture video={video} />
        <span className="grid min-w-0 gap-1">
          <span dir="auto" className="truncate text-left text-base font-bold">
            {stream.title || sourceWords(stream) || 'Tanpa nama'}
          </span>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {stream.preparation ? <AwaitsVideoBadge /> : phase && <StreamState phase={phase} />}
            <PlatformBadge platform={stream.platform} />
            {others > 0 && <span className="text-xs text-ink-soft tabular-nums">+{others} tujuan</span>}
            {stream.onFallback && <StandInBadge />}
          </span>
        </span>
      </span>
      <span className="grid h-19 content-between">
        {onAir ? (
          <>
            <span className="flex items-baseline justify-between gap-4">
              <OnAirClock stream={stream} className="text-xl font-bold" />
              {typeof stream.bitrate === 'number' && (
                <span className="text-sm whitespace-nowrap text-ink-soft tabular-nums">
                  {formatBitrate(stream.bitrate)}
                </span>
              )}
            </span>
            <Sparkline samples={samples} filled className="h-8 w-full" />
          </>
        ) : stream.preparation ? (
          <Preparation preparation={stream.preparation} reason={stream.reason} />
        ) : (
          <OffAir stream={stream} />
        )}
      </span>
    </Link>
  )
}
