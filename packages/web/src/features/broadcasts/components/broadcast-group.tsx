import { Button } from '../../../components/button.tsx'
import { PlatformBadge } from '../../../components/platform-mark.tsx'
import { classes } from '../../../lib/classes.ts'
import { formatMoment, formatNumber } from '../../../lib/format.ts'
import type { Say } from '../../../lib/message.ts'
import type { StreamRowData } from '../api/active-streams.ts'
import type { Bitrates } from '../bitrates.ts'
import type { StreamGroup } from '../stream-groups.ts'
import { AwaitsVideoBadge, StreamState } from '../stream-state.tsx'
import { shownPhase, sourceWords, targetWords } from '../stream-words.ts'
import { AddTargetButton } from './add-target.tsx'
import { PlaylistNext, SkipButton } from './playlist-next.tsx'
import { StreamMore } from './stream-more.tsx'
import { Figures, NextVideo, StandIn, StreamNote } from './stream-row.tsx'
import { SwapDialog } from './swap-dialog.tsx'

const NO_SAMPLES: readonly number[] = []

/** '3 tujuan, 2 tayang' */
function targetCounts({ streams }: StreamGroup): string {
  const live = streams.filter(({ state }) => state === 'live').length
  return `${formatNumber(streams.length)} tujuan, ${formatNumber(live)} tayang`
}

interface TargetLineProps {
  stream: StreamRowData
  samples: readonly number[]
  stopping: boolean
  onStop: () => void
}

/** One of the broadcast's targets, with a state of its own. */
function TargetLine({ stream, samples, stopping, onStop }: TargetLineProps) {
  const phase = shownPhase(stream)
  return (
    <li className="grid gap-1 py-2.5 pr-4">
      <div className="flex items-start gap-2">
        <div className="grid min-w-0 flex-1 gap-1">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <PlatformBadge platform={stream.platform} />
            {stream.preparation ? <AwaitsVideoBadge /> : phase && <StreamState phase={phase} />}
          </p>
          {stream.targetName && (
            <p dir="auto" className="truncate text-left text-sm font-semibold" title={stream.targetName}>
              {stream.targetName}
            </p>
          )}
        </div>
        <Button
          look="danger"
          size="small"
          aria-label={`Stop ${targetWords(stream)}`}
          disabled={stopping || stream.state === 'stopping'}
          onClick={onStop}
        >
          Stop
        </Button>
      </div>
      {stream.onFallback && <StandIn name={stream.fallback ?? ''} />}
      {stream.note && <StreamNote text={stream.note} />}
      {stream.streamId && (
        <StreamMore stream={stream} streamId={stream.streamId}>
          <Figures stream={stream} samples={samples} />
        </StreamMore>
      )}
    </li>
  )
}

interface BroadcastGroupProps {
  group: StreamGroup
  bitrates: Bitrates | undefined
  number: number
  currentStreamId: string | null
  /** Something of it is being stopped. */
  busy: boolean
  onPlay: () => void
  onStopAll: () => void
  onStop: (stream: StreamRowData) => void
  onAddTarget: () => void
  say: Say
}

function GroupHead(props: BroadcastGroupProps & { name: string; current: boolean }) {
  const { group, number, busy, name, current, onPlay, onStopAll } = props
  const [first] = group.streams
  return (
    <div className="flex items-start gap-2 pr-4">
      <h2 className="min-w-0 flex-1 font-normal">
        <button
          type="button"
          aria-pressed={current}
          className="flex w-full min-w-0 gap-3 pl-4 text-left -outline-offset-2"
          onClick={onPlay}
        >
          <span className="w-6 shrink-0 text-right text-sm font-semibold text-ink-soft tabular-nums">{number}.</span>
          <span className="grid min-w-0 flex-1 gap-0.5">
            <span dir="auto" className="truncate text-left text-sm font-semibold" title={name}>
              {name}
            </span>
            {first.title && sourceWords(first) && (
              <span dir="auto" className="truncate text-left text-xs text-ink-soft" title={sourceWords(first)}>
                {sourceWords(first)}
              </span>
            )}
            <span className="text-xs text-ink-soft tabular-nums">{targetCounts(group)}</span>
          </span>
        </button>
      </h2>
      <Button
        look="danger"
        size="small"
        disabled={busy || group.streams.every(({ state }) => state === 'stopping')}
        onClick={onStopAll}
      >
        Hentikan semua
      </Button>
    </div>
  )
}

/** A broadcast that goes to several targets at once. */
export function BroadcastGroup(props: BroadcastGroupProps) {
  const { group, bitrates, busy, currentStreamId, onStop, onAddTarget, say } = props
  const { streams, broadcastId } = group
  const [first] = streams
  const name = first.title || sourceWords(first) || 'Tanpa nama'
  const current = currentStreamId !== null && streams.some(({ streamId }) => streamId === currentStreamId)
  // Those that were added began later.
  const [startedAt] = streams.flatMap((stream) => stream.startedAt ?? []).sort()
  const next = streams.find(({ nextSource }) => nextSource)?.nextSource
  // They play the same; one that is off air may be behind.
  const lists = streams.filter(({ playlist }) => playlist)
  const listed = lists.find(({ state }) => state === 'live') ?? lists[0]
  return (
    <li className={classes('grid gap-1.5 py-3', current && 'bg-accent-wash')}>
      <GroupHead {...props} name={name} current={current} />
      <div className="grid gap-1 pl-13">
        {listed?.playlist && <PlaylistNext playlist={listed.playlist} isLive={listed.state === 'live'} />}
        {next && <NextVideo name={next} />}
        <p className="text-xs whitespace-nowrap text-ink-soft tabular-nums">Mulai {formatMoment(startedAt)}</p>
        <div className="flex flex-wrap gap-2 pt-1 pr-2">
          {listed?.streamId && listed.playlist ? (
            <SkipButton streamId={listed.streamId} playlist={listed.playlist} say={say} />
          ) : (
            !first.online && <SwapDialog stream={first} say={say} />
          )}
          <AddTargetButton broadcastId={broadcastId} onClick={onAddTarget} />
        </div>
        <ul aria-label={`Tujuan ${name}`} className="divide-y divide-line">
          {streams.map((stream, index) => (
            <TargetLine
              key={stream.streamId ?? index}
              stream={stream}
              samples={bitrates?.samples[stream.streamId ?? ''] ?? NO_SAMPLES}
              stopping={busy}
              onStop={() => onStop(stream)}
            />
          ))}
        </ul>
      </div>
    </li>
  )
}
