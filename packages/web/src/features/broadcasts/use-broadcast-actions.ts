import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { askConfirmation } from '../../lib/dialogs.ts'
import { REQUEST_FAILED } from '../../lib/feature-calls.ts'
import type { Say } from '../../lib/message.ts'
import { sayFailure } from '../../lib/say-failure.ts'
import { activeStreamsQuery, type StreamRowData } from './api/active-streams.ts'
import { removeTarget, stopBroadcast } from './api/broadcasts.ts'
import type { StreamGroup } from './stream-groups.ts'
import { targetWords } from './stream-words.ts'

const STOP_ALL = 'Yakin ingin menghentikan siaran ini di semua tujuan?'

interface BroadcastActionNeeds {
  readonly onStopped: (streamId: string) => void
  readonly say: Say
}

/** Stops a broadcast that goes to several targets, or takes one of them away; each asks before and says how it went. */
export function useBroadcastActions({ onStopped, say }: BroadcastActionNeeds) {
  const queryClient = useQueryClient()

  const run = useMutation({
    mutationFn: ({ call }: { call: () => Promise<string>; streams: readonly StreamRowData[] }) => call(),
    onSuccess: async (message, { streams }) => {
      for (const { streamId } of streams) if (streamId) onStopped(streamId)
      say(message || STREAM_TEXTS.stopped)
      await queryClient.invalidateQueries({ queryKey: activeStreamsQuery().queryKey })
    },
    onError: (error) => sayFailure(error, REQUEST_FAILED, say),
  })

  return {
    stopAll: async ({ broadcastId, streams }: StreamGroup): Promise<void> => {
      if (!broadcastId) return
      const consequence = `Siaran ke ${streams.length} tujuan berhenti, dan penonton tidak lagi melihatnya.`
      if (!(await askConfirmation(STOP_ALL, consequence, 'Hentikan semua'))) return
      run.mutate({ call: () => stopBroadcast(broadcastId), streams })
    },
    takeAway: async ({ broadcastId }: StreamGroup, stream: StreamRowData): Promise<void> => {
      const { streamId } = stream
      if (!broadcastId || !streamId) return
      const consequence = `Siaran ke ${targetWords(stream)} berhenti. Tujuan lainnya tetap tayang.`
      if (!(await askConfirmation(STREAM_TEXTS.confirmStop, consequence, 'Hentikan'))) return
      run.mutate({ call: () => removeTarget(broadcastId, streamId), streams: [stream] })
    },
    busy: run.isPending,
  }
}
