import { formatBytes } from '@siarin/contracts/format'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import type { Video } from '@siarin/contracts/videos'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Replace } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { FactLine } from '../../../components/fact-line.tsx'
import { ListFrame } from '../../../components/list-frame.tsx'
import { PlanLink } from '../../../components/plan-link.tsx'
import { featureMessage, isAboutPlan, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { formatDuration } from '../../../lib/format.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import type { Say } from '../../../lib/message.ts'
import { videosQuery } from '../../library/api/videos.ts'
import { VideoPicture } from '../../library/video-picture.tsx'
import { activeStreamsQuery, type StreamRowData, swapVideo } from '../api/active-streams.ts'

const HOW_IT_COMES =
  'Video baru menyusul begitu putaran yang sekarang selesai, tanpa memutus siaran. Kalau ukuran atau formatnya berbeda, siaran tersambung ulang sebentar.'

function Choice({ video, waiting, onChoose }: { video: Video; waiting: boolean; onChoose: (() => void) | undefined }) {
  const facts = [formatBytes(video.size), ...(video.duration === null ? [] : [formatDuration(video.duration)])]
  return (
    <li>
      <button
        type="button"
        disabled={!onChoose}
        className="flex w-full items-center gap-3 px-6 py-3 text-left -outline-offset-2 enabled:hover:bg-raised disabled:opacity-55"
        onClick={onChoose}
      >
        <VideoPicture video={video} />
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate text-left text-sm font-semibold" title={video.filename}>
            {video.filename}
          </span>
          <FactLine facts={facts} />
          {waiting && <span className="mt-0.5 block text-xs font-semibold text-accent-ink">Menunggu giliran</span>}
        </span>
      </button>
    </li>
  )
}

function Choices({ stream, onDone, say }: { stream: StreamRowData; onDone: () => void; say: Say }) {
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(videosQuery())
  const videos = data?.videos.filter(({ status, filename }) => status === 'ready' && filename !== stream.source)

  const swap = useMutation({
    mutationFn: ({ filename }: Video) => swapVideo({ streamId: stream.streamId ?? '', source: filename }),
    onSuccess: async (message) => {
      onDone()
      say(message || STREAM_TEXTS.swapping)
      await queryClient.invalidateQueries({ queryKey: activeStreamsQuery().queryKey })
    },
  })
  const refusal = swap.error instanceof SessionEndedError ? null : swap.error

  return (
    <>
      <div className="-mx-6 border-t border-line">
        <ListFrame
          label="Video pengganti"
          count={videos?.length}
          failure={error && featureMessage(error, REQUEST_FAILED)}
          onReload={() => void refetch()}
          emptyText="Belum ada video lain yang siap. Upload satu lagi, lalu kembali ke sini."
        >
          {videos?.map((video) => (
            <Choice
              key={video.filename}
              video={video}
              waiting={video.filename === stream.nextSource}
              onChoose={swap.isPending || video.filename === stream.nextSource ? undefined : () => swap.mutate(video)}
            />
          ))}
        </ListFrame>
      </div>
      {refusal && (
        <p role="alert" className="mt-4 text-sm font-medium break-words text-warn-ink">
          {featureMessage(refusal, REQUEST_FAILED)}
        </p>
      )}
      {isAboutPlan(refusal) && (
        <p className="mt-3">
          <PlanLink look="secondary" size="small" />
        </p>
      )}
    </>
  )
}

/** Another video for a broadcast that goes on meanwhile. */
export function SwapDialog({ stream, say }: { stream: StreamRowData; say: Say }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        look="secondary"
        size="small"
        className="z-1"
        disabled={stream.state === 'stopping'}
        onClick={() => setOpen(true)}
      >
        <Replace aria-hidden size={16} strokeWidth={1.75} />
        Ganti video
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Ganti video" description={HOW_IT_COMES}>
        <Choices stream={stream} onDone={() => setOpen(false)} say={say} />
      </Dialog>
    </>
  )
}
