import { STREAM_TEXTS, VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { Video } from '@siarin/contracts/videos'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Dispatch } from 'react'
import { askConfirmation } from '../../lib/dialogs.ts'
import { featureMessage, REQUEST_FAILED } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import { activeStreamsQuery, type StreamRowData, startStream, stopStream } from './api/active-streams.ts'
import { requestTikTokTarget, type TikTokAccount } from './api/tiktok.ts'
import { deleteVideo, retryVideo, videosQuery } from './api/videos.ts'
import { checkStart } from './start-check.ts'
import type { LiveEvent, LiveState, Say } from './state.ts'
import { notReadyText } from './video-facts.ts'

const DELETE_FAILED = 'Gagal menghapus video.'
const ON_AIR = 'Siaran langsung dimulai!'
const START_FAILED = 'Gagal memulai siaran langsung'

/** Everything the Live screen does to the server; each action says how it went. */
export function useLiveActions(state: LiveState, dispatch: Dispatch<LiveEvent>, say: Say) {
  const queryClient = useQueryClient()
  const reloadVideos = () => queryClient.invalidateQueries({ queryKey: videosQuery().queryKey })
  const reloadStreams = () => queryClient.invalidateQueries({ queryKey: activeStreamsQuery().queryKey })
  const sayFailure = (error: unknown, text: string): void => {
    if (!(error instanceof SessionEndedError)) say(text, true)
  }

  const remove = useMutation({
    mutationFn: ({ filename }: Video) => deleteVideo(filename),
    onSuccess: async (message, { filename }) => {
      dispatch({ type: 'video-deleted', filename })
      await reloadVideos()
      say(message || VIDEO_TEXTS.deleted)
    },
    onError: (error) => sayFailure(error, featureMessage(error, DELETE_FAILED)),
  })

  const retry = useMutation({
    mutationFn: ({ filename }: Video) => retryVideo(filename),
    onSuccess: async (message) => {
      await reloadVideos()
      say(message || VIDEO_TEXTS.retried)
    },
    onError: (error) => sayFailure(error, featureMessage(error, REQUEST_FAILED)),
  })

  /** The list may be some seconds old: it is asked anew before it keeps someone from going live. */
  async function whyNotReady(source: string): Promise<string | null> {
    const judge = (videos: readonly Video[] | undefined) =>
      notReadyText(videos?.find(({ filename }) => filename === source))
    if (judge(queryClient.getQueryData(videosQuery().queryKey)?.videos) === null) return null
    return judge((await queryClient.fetchQuery({ ...videosQuery(), staleTime: 0 })).videos)
  }

  const start = useMutation({
    mutationFn: async (accounts: readonly TikTokAccount[]) => {
      const check = checkStart(state.picked, state.form, accounts)
      if (!check.ok) return check.text
      const { source, platform, title, target } = check
      const notReady = await whyNotReady(source)
      if (notReady !== null) return notReady
      const rtmpStream = target.kind === 'key' ? target.key : await requestTikTokTarget(target.token, title)
      await startStream({ source, platform, rtmpStream, looping: true, ...(title && { title }) })
      return null
    },
    onSuccess: async (refusal) => {
      if (refusal !== null) {
        say(refusal, true)
        return
      }
      say(ON_AIR)
      await reloadStreams()
    },
    onError: (error) => {
      const reason = featureMessage(error, '')
      sayFailure(error, reason ? `Error: ${reason}` : START_FAILED)
    },
  })

  const stop = useMutation({
    mutationFn: stopStream,
    onSuccess: async (_answer, streamId) => {
      dispatch({ type: 'stream-stopped', streamId })
      say(STREAM_TEXTS.stopped)
      await reloadStreams()
    },
    onError: (error) => sayFailure(error, featureMessage(error, STREAM_TEXTS.startFailed)),
  })

  return {
    remove: async (video: Video): Promise<void> => {
      const question = `Yakin mau hapus video "${video.filename}"?`
      if (await askConfirmation(question, 'Video yang dihapus tidak bisa dikembalikan.', 'Hapus')) remove.mutate(video)
    },
    retry: (video: Video): void => retry.mutate(video),
    retryingName: retry.isPending ? retry.variables.filename : null,
    start: (accounts: readonly TikTokAccount[]): void => start.mutate(accounts),
    starting: start.isPending,
    stop: async ({ streamId }: StreamRowData): Promise<void> => {
      if (!streamId) {
        say(STREAM_TEXTS.streamIdInvalid, true)
        return
      }
      if (await askConfirmation(STREAM_TEXTS.confirmStop, 'Penonton tidak lagi melihat siaran ini.', 'Hentikan')) {
        stop.mutate(streamId)
      }
    },
    stoppingId: stop.isPending ? stop.variables : null,
  }
}
