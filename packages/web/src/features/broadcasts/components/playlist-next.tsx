import type { PlaylistNow } from '@siarin/contracts/playlists'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { SkipForward } from 'lucide-react'
import { Link } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import type { Say } from '../../../lib/message.ts'
import { sayFailure } from '../../../lib/say-failure.ts'
import { activeStreamsQuery, skipItem } from '../api/active-streams.ts'
import { placeWords } from '../playlist-position.ts'
import { usePlaylistPosition } from '../use-playlist-position.ts'

/** What a broadcast plays of its list, where in that it is, and what follows. */
export function PlaylistNext({ playlist, isLive }: { playlist: PlaylistNow; isLive: boolean }) {
  const { filename, next } = playlist
  const position = usePlaylistPosition(playlist, isLive)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-0.5 text-xs" data-testid="playlist-now">
      <p className="flex min-w-0 gap-x-1.5">
        <span className="min-w-0 truncate" title={filename}>
          <span className="font-semibold">Sekarang:</span> <bdi>{filename}</bdi>
        </span>{' '}
        <span className="whitespace-nowrap text-ink-soft tabular-nums" title="Posisi di video ini">
          {position.item}
        </span>
      </p>
      <p className="truncate text-ink-soft" title={next?.filename}>
        <span className="font-semibold">Berikutnya:</span> {next ? <bdi>{next.filename}</bdi> : 'siaran selesai'}
      </p>
      <p className="text-ink-soft tabular-nums">
        {placeWords(playlist)} · <span title="Posisi di seluruh playlist">{position.round}</span>
      </p>
    </div>
  )
}

interface SkipButtonProps {
  streamId: string
  playlist: PlaylistNow
  say: Say
}

/** What plays now plays to its end: the item after it is what can be left out. */
export function SkipButton({ streamId, playlist, say }: SkipButtonProps) {
  const queryClient = useQueryClient()
  const skip = useMutation({
    mutationFn: () => skipItem(streamId),
    onSuccess: async (message) => {
      say(message)
      await queryClient.invalidateQueries({ queryKey: activeStreamsQuery().queryKey })
    },
    onError: (error) => sayFailure(error, REQUEST_FAILED, say),
  })
  const { next } = playlist
  return (
    <span className="z-1 flex min-w-0 flex-wrap items-center gap-2">
      <Button
        look="secondary"
        size="small"
        title={next ? `Lewati ${next.filename}` : undefined}
        aria-label={next ? `Lewati berikutnya: ${next.filename}` : undefined}
        busy={skip.isPending}
        disabled={skip.isPending || !next}
        onClick={() => skip.mutate()}
      >
        <SkipForward aria-hidden size={16} strokeWidth={1.75} />
        Lewati
      </Button>
      <Link
        to={`/fitur/playlist?id=${encodeURIComponent(playlist.id)}`}
        className="inline-flex h-8 items-center rounded-control px-2 text-xs font-semibold text-accent-ink underline pointer-coarse:h-11"
      >
        Ubah playlist
      </Link>
    </span>
  )
}
