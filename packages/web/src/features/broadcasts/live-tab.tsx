import type { EndedStream } from '@siarin/contracts/streams'
import { Button } from '../../components/button.tsx'
import { ListFrame } from '../../components/list-frame.tsx'
import type { Say } from '../../lib/message.ts'
import type { StreamRowData } from './api/active-streams.ts'
import type { Bitrates } from './bitrates.ts'
import { StreamHistory } from './components/stream-history.tsx'
import { StreamRow } from './components/stream-row.tsx'

interface LiveTabProps {
  streams: readonly StreamRowData[] | undefined
  bitrates: Bitrates | undefined
  failure: string | null
  currentStreamId: string | null
  stoppingId: string | null
  onReload: () => void
  onChoose: () => void
  onPlay: (stream: StreamRowData) => void
  onStop: (stream: StreamRowData) => void
  /** Puts what has ended back into the Go form. */
  onRetry: (stream: EndedStream) => void
  say: Say
}

const NO_SAMPLES: readonly number[] = []

export function LiveTab(props: LiveTabProps) {
  const { streams, bitrates, currentStreamId, stoppingId, onPlay, onStop, onRetry, say } = props
  return (
    <>
      <ListFrame
        label="Siaran aktif"
        count={streams?.length}
        failure={props.failure}
        onReload={props.onReload}
        emptyText="Tidak ada live stream yang aktif saat ini."
        emptyAction={
          <Button look="secondary" size="small" onClick={props.onChoose}>
            Pilih video
          </Button>
        }
      >
        {streams?.map((stream, index) => (
          <StreamRow
            key={stream.streamId ?? index}
            stream={stream}
            samples={bitrates?.samples[stream.streamId ?? ''] ?? NO_SAMPLES}
            number={index + 1}
            current={stream.streamId !== undefined && stream.streamId === currentStreamId}
            stopping={stream.streamId !== undefined && stream.streamId === stoppingId}
            onPlay={() => onPlay(stream)}
            onStop={() => onStop(stream)}
            say={say}
          />
        ))}
      </ListFrame>
      {streams && <StreamHistory activeIds={streams.map(({ streamId }) => streamId).join(' ')} onRetry={onRetry} />}
    </>
  )
}
