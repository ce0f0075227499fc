import type { StartStreamBody } from '@siarin/contracts/streams'
import { STREAM_TEXTS, VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { Video } from '@siarin/contracts/videos'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Dispatch } from 'react'
import { askConfirmation } from '../../lib/dialogs.ts'
import { FeatureError, featureMessage, isAboutPlan, REQUEST_FAILED } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import type { Message, Say } from '../../lib/message.ts'
import { activeStreamsQuery, type StreamRowData, startStream, stopStream } from './api/active-streams.ts'
import { requestTikTokTarget, type TikTokAccount } from './api/tiktok.ts'
import { deleteVideo, retryVideo, videosQuery } from './api/videos.ts'
import { DELETE_CONSEQUENCE, DELETE_FAILED, deleteQuestion } from './delete-texts.ts'
import { checkStart, type StartCheck } from './start-check.ts'
import type { LiveEvent, LiveState } from './state.ts'
import { notReadyText } from './video-facts.ts'

/** `refusal`: the server's, which nothing in the form shows. */
type StartFailure = Omit<Message, 'tone'> & { readonly refusal?: string }

type StreamTarget = Pick<StartStreamBody, 'rtmpStream' | 'targetOf'>

const ON_AIR = 'Siaran langsung dimulai!'
const TARGET_FAILED = 'Gagal mendapatkan RTMP URL'
const START_FAILED = 'Gagal memulai siaran langsung'

/** Everything the Live screen does to the server; each action says how it went. */
export function useLiveActions(state: LiveState, dispatch: Dispatch<LiveEvent>, say: Say) {
  const queryClient = useQueryClient()
  const reloadVideos = () => queryClient.invalidateQueries({ queryKey: videosQuery().queryKey })
  const reloadStreams = () => queryClient.invalidateQueries({ queryKey: activeStreamsQuery().queryKey })
  const sayFailure = (error: unknown, text: string): void => {
    if (!(error instanceof SessionEndedError)) say(text, 'error', isAboutPlan(error))
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

  async function targetOf({ target, title }: Extract<StartCheck, { ok: true }>): Promise<StreamTarget> {
    if (target.kind === 'key') return { rtmpStream: target.key }
    if (target.kind === 'kept') return { rtmpStream: '', targetOf: target.streamId }
    const given = await requestTikTokTarget({ token: target.token, accountId: target.accountId }, title)
    say(given.message)
    return { rtmpStream: given.target }
  }

  const start = useMutation({
    /** Answers why nothing was started; null: it was. */
    mutationFn: async (accounts: readonly TikTokAccount[]): Promise<StartFailure | null> => {
      const check = checkStart(state.picked, state.form, accounts)
      if (!check.ok) return { text: check.text }
      const { source, online, platform, title } = check
      const notReady = await whyNotReady(source).catch(() => null)
      if (notReady !== null) return { text: notReady }
      let failure = TARGET_FAILED
      try {
        const target = await targetOf(check)
        failure = START_FAILED
        await startStream({ source, platform, ...target, looping: true, ...(title && { title }), ...online })
        return null
      } catch (error) {
        if (error instanceof SessionEndedError) throw error
        if (!(error instanceof FeatureError)) return { text: failure }
        const why = error.message || STREAM_TEXTS.startFailed
        return { text: `Error: ${why}`, aboutPlan: isAboutPlan(error), refusal: why }
      }
    },
    onSuccess: async (failure) => {
      if (failure) return say(failure.text, 'error', failure.aboutPlan)
      say(ON_AIR)
      await reloadStreams()
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
      if (await askConfirmation(deleteQuestion(video.filename), DELETE_CONSEQUENCE, 'Hapus')) remove.mutate(video)
    },
    retry: (video: Video): void => retry.mutate(video),
    retryingName: retry.isPending ? retry.variables.filename : null,
    start: (accounts: readonly TikTokAccount[]): void => start.mutate(accounts),
    starting: start.isPending,
    /** Why the server refused the last start: it stands there until the next try, for whoever looked away. */
    refusal: start.data?.refusal ?? null,
    stop: async ({ streamId }: StreamRowData): Promise<void> => {
      if (!streamId) {
        say(STREAM_TEXTS.streamIdInvalid, 'error')
        return
      }
      if (await askConfirmation(STREAM_TEXTS.confirmStop, 'Penonton tidak lagi melihat siaran ini.', 'Hentikan')) {
        stop.mutate(streamId)
      }
    },
    stoppingId: stop.isPending ? stop.variables : null,
  }
}
