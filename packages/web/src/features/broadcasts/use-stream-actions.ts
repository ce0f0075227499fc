import type { StartStreamBody } from '@siarin/contracts/streams'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import type { Video } from '@siarin/contracts/videos'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { askConfirmation } from '../../lib/dialogs.ts'
import { FeatureError, isAboutPlan } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import type { Message, Say } from '../../lib/message.ts'
import type { Picked } from '../../lib/picked.ts'
import { sayFailure } from '../../lib/say-failure.ts'
import { videosQuery } from '../library/api/videos.ts'
import { notReadyText } from '../library/video-facts.ts'
import { activeStreamsQuery, type StreamRowData, startStream, stopStream } from './api/active-streams.ts'
import { requestTikTokTarget, type TikTokAccount } from './api/tiktok.ts'
import type { GoForm } from './go-form.ts'
import { checkStart, type StartCheck } from './start-check.ts'

/** `refusal`: the server's, which nothing in the form shows. */
type StartFailure = Omit<Message, 'tone'> & { readonly refusal?: string }

type StreamTarget = Pick<StartStreamBody, 'rtmpStream' | 'targetOf'>

const ON_AIR = 'Siaran langsung dimulai!'
const TARGET_FAILED = 'Gagal mendapatkan RTMP URL'
const START_FAILED = 'Gagal memulai siaran langsung'

interface StreamActionNeeds {
  readonly picked: Picked | null
  readonly form: GoForm
  readonly onStopped: (streamId: string) => void
  readonly say: Say
}

/** Starts and stops broadcasts; each action says how it went. */
export function useStreamActions({ picked, form, onStopped, say }: StreamActionNeeds) {
  const queryClient = useQueryClient()
  const reloadStreams = () => queryClient.invalidateQueries({ queryKey: activeStreamsQuery().queryKey })

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
      const check = checkStart(picked, form, accounts)
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
      onStopped(streamId)
      say(STREAM_TEXTS.stopped)
      await reloadStreams()
    },
    onError: (error) => sayFailure(error, STREAM_TEXTS.startFailed, say),
  })

  return {
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
