import type { EndedStream } from '@siarin/contracts/streams'
import type { Target } from '@siarin/contracts/targets'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ListFrame } from '../../components/list-frame.tsx'
import type { Say } from '../../lib/message.ts'
import { targetsQuery } from '../targets/api/targets.ts'
import type { StreamRowData } from './api/active-streams.ts'
import type { Bitrates } from './bitrates.ts'
import { AddTargetDialog } from './components/add-target.tsx'
import { BroadcastGroup } from './components/broadcast-group.tsx'
import { StreamHistory } from './components/stream-history.tsx'
import { StreamRow } from './components/stream-row.tsx'
import { groupStreams, type StreamGroup } from './stream-groups.ts'
import { useBroadcastActions } from './use-broadcast-actions.ts'

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
  /** It is stopped; what shows it lets go of it. */
  onStopped: (streamId: string) => void
  /** Puts what has ended back into the Go form. */
  onRetry: (stream: EndedStream) => void
  say: Say
}

const NO_SAMPLES: readonly number[] = []

interface GroupRowProps extends LiveTabProps {
  group: StreamGroup
  number: number
  broadcasts: ReturnType<typeof useBroadcastActions>
  targets: readonly Target[]
  onAddTarget: (broadcastId: string) => void
}

/** A broadcast to one target is one row; to several, a group with a row for each. */
function GroupRow({ group, number, broadcasts, targets, onAddTarget, ...props }: GroupRowProps) {
  const { bitrates, currentStreamId, stoppingId, onPlay, onStop, say } = props
  const { broadcastId, streams } = group
  const [stream] = streams
  const { streamId } = stream
  const addTarget = broadcastId ? () => onAddTarget(broadcastId) : undefined
  if (streams.length > 1 && addTarget) {
    return (
      <BroadcastGroup
        group={group}
        bitrates={bitrates}
        number={number}
        currentStreamId={currentStreamId}
        busy={broadcasts.busy}
        onPlay={() => onPlay(stream)}
        onStopAll={() => void broadcasts.stopAll(group)}
        onStop={(one) => void broadcasts.takeAway(group, one)}
        onAddTarget={addTarget}
        say={say}
      />
    )
  }
  return (
    <StreamRow
      stream={stream}
      samples={bitrates?.samples[streamId ?? ''] ?? NO_SAMPLES}
      number={number}
      current={streamId !== undefined && streamId === currentStreamId}
      stopping={streamId !== undefined && streamId === stoppingId}
      onPlay={() => onPlay(stream)}
      onStop={() => onStop(stream)}
      onAddTarget={targets.some(({ id }) => id !== stream.targetId) ? addTarget : undefined}
      say={say}
    />
  )
}

export function LiveTab(props: LiveTabProps) {
  const { streams, onStopped, onRetry, say } = props
  const broadcasts = useBroadcastActions({ onStopped, say })
  const [addingTo, setAddingTo] = useState<string | null>(null)
  const { data: targets = [] } = useQuery(targetsQuery())
  const groups = groupStreams(streams ?? [])
  const used = groups.find(({ broadcastId }) => broadcastId === addingTo)?.streams.map(({ targetId }) => targetId)
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
        {groups.map((group, index) => (
          <GroupRow
            {...props}
            key={group.broadcastId || (group.streams[0].streamId ?? index)}
            group={group}
            number={index + 1}
            broadcasts={broadcasts}
            targets={targets}
            onAddTarget={setAddingTo}
          />
        ))}
      </ListFrame>
      {addingTo !== null && (
        <AddTargetDialog
          broadcastId={addingTo}
          targets={targets.filter(({ id }) => !used?.includes(id))}
          onClose={() => setAddingTo(null)}
          say={say}
        />
      )}
      {streams && <StreamHistory activeIds={streams.map(({ streamId }) => streamId).join(' ')} onRetry={onRetry} />}
    </>
  )
}
