import type { VideoPreparation } from '@siarin/contracts/videos'
import { Info } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { PlatformBadge } from '../../../components/platform-mark.tsx'
import { Sparkline } from '../../../components/sparkline.tsx'
import { classes } from '../../../lib/classes.ts'
import { formatBitrate, formatMoment } from '../../../lib/format.ts'
import type { Say } from '../../../lib/message.ts'
import { useNow } from '../../../lib/use-now.ts'
import { preparationWords } from '../../library/video-facts.ts'
import type { StreamRowData } from '../api/active-streams.ts'
import { OnAirClock } from '../on-air-clock.tsx'
import { AwaitsVideoBadge, StandInBadge, StreamState } from '../stream-state.tsx'
import { nextTryWords, reconnectWords, shownPhase, sourceWords } from '../stream-words.ts'
import { AddTargetButton } from './add-target.tsx'
import { PlaylistNext, SkipButton } from './playlist-next.tsx'
import { StreamMore } from './stream-more.tsx'
import { SwapDialog } from './swap-dialog.tsx'

function NextTry({ at }: { at: string | null | undefined }) {
  const words = nextTryWords(at, useNow()) ?? 'mencoba lagi sekarang'
  return <p className="tabular-nums first-letter:uppercase">{words}</p>
}

/** Nothing is wrong: it waits for its video, which is on its way. */
function Preparation({ stream, preparation }: { stream: StreamRowData; preparation: VideoPreparation }) {
  return (
    <div className="text-xs break-words text-ink-soft">
      <p className="font-semibold tabular-nums">{preparationWords(preparation)}</p>
      <p className="text-pretty">{stream.reason}</p>
    </div>
  )
}

/** What is to be seen of a stream now: its figures while it is on air, else why it is not and what happens next. */
export function Figures({ stream, samples }: { stream: StreamRowData; samples: readonly number[] }) {
  if (stream.state === 'live') {
    const reconnected = reconnectWords(stream)
    return (
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <OnAirClock stream={stream} className="text-sm font-semibold" />
        {reconnected && <span className="text-xs whitespace-nowrap text-ink-soft tabular-nums">{reconnected}</span>}
        {typeof stream.bitrate === 'number' && (
          <span className="flex items-center gap-2 text-xs whitespace-nowrap text-ink-soft tabular-nums">
            {formatBitrate(stream.bitrate)}
            <Sparkline samples={samples} />
          </span>
        )}
      </p>
    )
  }
  if (stream.preparation) return <Preparation stream={stream} preparation={stream.preparation} />
  const phase = shownPhase(stream)
  if (phase !== 'waiting' && !stream.reason) return null
  return (
    <div className="text-xs break-words text-warn-ink">
      {stream.reason && <p>{stream.reason}</p>}
      {phase === 'waiting' && <NextTry at={stream.nextTryAt} />}
    </div>
  )
}

/** Asked for, and not on air yet. */
export function NextVideo({ name }: { name: string }) {
  return (
    <p className="flex min-w-0 gap-1 text-xs text-accent-ink">
      <span className="shrink-0 font-semibold">Berikutnya</span>
      <bdi className="truncate" title={name}>
        {name}
      </bdi>
    </p>
  )
}

/** The source is away, and viewers see this instead. */
export function StandIn({ name }: { name: string }) {
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-soft">
      <StandInBadge />
      <bdi className="min-w-0 truncate" title={name}>
        {name}
      </bdi>
      <span className="whitespace-nowrap">menunggu sumber</span>
    </p>
  )
}

/** Something to know while nothing is wrong. */
export function StreamNote({ text }: { text: string }) {
  return (
    <p className="flex gap-1.5 text-xs text-ink-soft">
      <Info aria-hidden size={14} strokeWidth={1.75} className="mt-px shrink-0" />
      <span className="min-w-0 break-words text-pretty">{text}</span>
    </p>
  )
}

interface StreamRowProps {
  stream: StreamRowData
  samples: readonly number[]
  number: number
  current: boolean
  stopping: boolean
  onPlay: () => void
  onStop: () => void
  /** Undefined: there is no stored target to be added. */
  onAddTarget: (() => void) | undefined
  say: Say
}

function StreamHead(props: Omit<StreamRowProps, 'samples' | 'say' | 'onAddTarget'>) {
  const { stream, number, current, stopping, onPlay, onStop } = props
  const phase = shownPhase(stream)
  return (
    <div className="flex items-start gap-2 pr-4">
      <button
        type="button"
        aria-pressed={current}
        // The whole row answers to a click; what can be pressed by itself lies above.
        className="flex min-w-0 flex-1 gap-3 pl-4 text-left -outline-offset-2 after:absolute after:inset-0"
        onClick={onPlay}
      >
        <span className="w-6 shrink-0 text-right text-sm font-semibold text-ink-soft tabular-nums">{number}.</span>
        <span className="grid min-w-0 flex-1 gap-1">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <PlatformBadge platform={stream.platform} />
            {stream.targetName && <bdi className="min-w-0 truncate text-xs text-ink-soft">{stream.targetName}</bdi>}
            {stream.preparation ? <AwaitsVideoBadge /> : phase && <StreamState phase={phase} />}
          </span>
          <span dir="auto" className="truncate text-left text-sm font-semibold">
            {stream.title || sourceWords(stream) || 'Tanpa nama'}
          </span>
        </span>
      </button>
      <Button
        look="danger"
        size="small"
        className="z-1"
        disabled={stopping || stream.state === 'stopping'}
        onClick={onStop}
      >
        Stop
      </Button>
    </div>
  )
}

function StreamFacts({ stream, samples }: Pick<StreamRowProps, 'stream' | 'samples'>) {
  return (
    <>
      {stream.title && sourceWords(stream) && (
        <p dir="auto" className="truncate text-left text-xs text-ink-soft" title={sourceWords(stream)}>
          {sourceWords(stream)}
        </p>
      )}
      {stream.playlist && <PlaylistNext playlist={stream.playlist} isLive={stream.state === 'live'} />}
      {stream.nextSource && <NextVideo name={stream.nextSource} />}
      {stream.onFallback && <StandIn name={stream.fallback ?? ''} />}
      <Figures stream={stream} samples={samples} />
      {stream.note && <StreamNote text={stream.note} />}
      <p className="text-xs whitespace-nowrap text-ink-soft tabular-nums">Mulai {formatMoment(stream.startedAt)}</p>
      <p className="truncate font-mono text-xs text-ink-soft">ID {stream.streamId ?? 'N/A'}</p>
    </>
  )
}

export function StreamRow({ stream, samples, say, onAddTarget, ...head }: StreamRowProps) {
  return (
    <li className={classes('relative grid gap-1.5 py-3', head.current ? 'bg-accent-wash' : 'hover:bg-raised')}>
      <StreamHead stream={stream} {...head} />
      <div className="grid gap-1 pr-4 pl-13">
        <StreamFacts stream={stream} samples={samples} />
        {stream.streamId && (
          <StreamMore stream={stream} streamId={stream.streamId}>
            {stream.playlist ? (
              <SkipButton streamId={stream.streamId} playlist={stream.playlist} say={say} />
            ) : (
              !stream.online && <SwapDialog stream={stream} say={say} />
            )}
            {onAddTarget && <AddTargetButton broadcastId={stream.broadcastId} onClick={onAddTarget} />}
          </StreamMore>
        )}
      </div>
    </li>
  )
}
