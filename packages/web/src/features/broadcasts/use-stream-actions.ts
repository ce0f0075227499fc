import type { StartBroadcastBody } from '@siarin/contracts/broadcasts'
import type { StartStreamBody } from '@siarin/contracts/streams'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import type { Video } from '@siarin/contracts/videos'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { askConfirmation } from '../../lib/dialogs.ts'
import { FeatureError, isAboutPlan } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import type { Message, Say } from '../../lib/message.ts'
import type { Picked } from '../../lib/picked.ts'
import { sayFailure } from '../../lib/say-failure.ts'
import { videosQuery } from '../library/api/videos.ts'
import { notReadyText } from '../library/video-facts.ts'
import { SAVE_FAILED, saveSchedule, scheduleFault } from '../schedules/save-schedule.ts'
import { targetsQuery } from '../targets/api/targets.ts'
import { activeStreamsQuery, type StreamRowData, startStream, stopStream } from './api/active-streams.ts'
import { startBroadcast } from './api/broadcasts.ts'
import { requestTikTokTarget, type TikTokAccount } from './api/tiktok.ts'
import { chosenVersion, type GoForm, mayWait } from './go-form.ts'
import { checkStart, type StartCheck } from './start-check.ts'

/** `refusal`: the server's in a sentence of its own, which nothing in the form shows. */
type StartFailure = Omit<Message, 'tone'> & { readonly refusal?: string }
type StartOutcome = { readonly said: string; readonly scheduled?: true } | { readonly failure: StartFailure }

type StreamTarget = Pick<StartStreamBody, 'platform' | 'rtmpStream' | 'targetOf'>
type WhatToSend = Omit<StartStreamBody, keyof StreamTarget>

const ON_AIR = 'Siaran langsung dimulai!'
const NOT_ON_AIR_YET = 'Siaran ini belum tayang. Videonya tetap disiapkan.'
const TARGET_FAILED = 'Gagal mendapatkan RTMP URL'
const START_FAILED = 'Gagal memulai siaran langsung'

type WhereTo = StreamTarget | Pick<StartBroadcastBody, 'targets'>

/** To the target that the form names, as ever; with stored ones, to all of them. */
function whereTo(named: StreamTarget | null, ticked: readonly string[]): WhereTo {
  if (named && ticked.length === 0) return named
  return { targets: [...ticked.map((targetId) => ({ targetId, rtmpStream: '' })), ...(named ? [named] : [])] }
}

/** To all of them or to none. Answers what is to be said. */
async function send(what: WhatToSend, where: WhereTo): Promise<string> {
  if (!('targets' in where)) {
    await startStream({ ...what, ...where })
    return ON_AIR
  }
  const said = await startBroadcast({ ...what, ...where })
  return where.targets.length === 1 ? ON_AIR : said
}

/** The list may be some seconds old: it is asked anew before it keeps someone from going live. */
async function unreadyVideo(queryClient: QueryClient, source: string): Promise<Video | null> {
  const find = (videos: readonly Video[] | undefined) =>
    videos?.find(({ filename, status }) => filename === source && status !== 'ready') ?? null
  if (!find(queryClient.getQueryData(videosQuery().queryKey)?.videos)) return null
  return find((await queryClient.fetchQuery({ ...videosQuery(), staleTime: 0 })).videos)
}

/** The chosen version of the video that is sent, as far as it is ready. */
function askedVersion(queryClient: QueryClient, form: GoForm, source: string): Pick<WhatToSend, 'rendition'> {
  const videos = queryClient.getQueryData(videosQuery().queryKey)?.videos
  const chosen = chosenVersion(
    videos?.find(({ filename }) => filename === source),
    form,
  )
  return chosen ? { rendition: chosen.recipe } : {}
}

/** One that was deleted meanwhile shows no box that could be unticked. */
function stillTicked(queryClient: QueryClient, { ticked }: GoForm): readonly string[] {
  const known = queryClient.getQueryData(targetsQuery().queryKey)
  return known ? ticked.filter((asked) => known.some(({ id }) => id === asked)) : ticked
}

/** The target that the form names besides those that are ticked; TikTok is asked for one. */
async function namedTarget(check: Extract<StartCheck, { ok: true }>, say: Say): Promise<StreamTarget | null> {
  const { target, title, platform } = check
  if (target.kind === 'ticked') return null
  if (target.kind === 'key') return { platform, rtmpStream: target.key }
  if (target.kind === 'kept') return { platform, rtmpStream: '', targetOf: target.streamId }
  const given = await requestTikTokTarget({ token: target.token, accountId: target.accountId }, title)
  say(given.message)
  return { platform, rtmpStream: given.target }
}

/** What is on air already is not said to be off it. */
function refusalWords(why: string, planned: boolean): string {
  if (planned) return `Belum tersimpan. ${why}`
  return why === STREAM_TEXTS.sameTarget ? why : `Belum tayang. ${why}`
}

interface StreamActionNeeds {
  readonly picked: Picked | null
  readonly form: GoForm
  readonly onStopped: (streamId: string) => void
  /** A schedule was saved; with what the server says to it. */
  readonly onScheduled: (said: string) => void
  readonly say: Say
}

/** Starts and stops broadcasts; each action says how it went. */
export function useStreamActions({ picked, form, onStopped, onScheduled, say }: StreamActionNeeds) {
  const queryClient = useQueryClient()
  const reloadStreams = () => queryClient.invalidateQueries({ queryKey: activeStreamsQuery().queryKey })

  const start = useMutation({
    mutationFn: async (accounts: readonly TikTokAccount[]): Promise<StartOutcome> => {
      const asked = { ...form, ticked: stillTicked(queryClient, form) }
      const check = checkStart(picked, asked, accounts)
      if (!check.ok) return { failure: { text: check.text } }
      const { source, online, title } = check
      const { schedule } = form
      const fault = schedule && scheduleFault(schedule)
      if (fault) return { failure: { text: fault } }
      // A schedule waits for its video by itself.
      const unready = schedule ? null : await unreadyVideo(queryClient, source).catch(() => null)
      const whenReady = unready?.status === 'processing' && form.whenReady && mayWait(asked)
      if (unready && !whenReady) return { failure: { text: notReadyText(unready) } }
      let failure = TARGET_FAILED
      try {
        const named = await namedTarget(check, say)
        failure = schedule ? SAVE_FAILED : START_FAILED
        const wishes = { ...(whenReady && { whenReady }), ...(form.record && { record: true }) }
        const what = {
          ...{ source, looping: true, ...(title && { title }), ...online, ...wishes },
          ...askedVersion(queryClient, form, source),
        }
        const where = whereTo(named, asked.ticked)
        if (schedule) return { said: await saveSchedule(schedule, { ...what, ...where }), scheduled: true }
        const said = await send(what, where)
        return { said: whenReady ? STREAM_TEXTS.startsWhenReady : said }
      } catch (error) {
        if (error instanceof SessionEndedError) throw error
        if (!(error instanceof FeatureError)) return { failure: { text: failure } }
        const why = error.message || STREAM_TEXTS.startFailed
        const refusal = refusalWords(why, schedule !== null)
        return { failure: { text: `Error: ${why}`, aboutPlan: isAboutPlan(error), refusal } }
      }
    },
    onSuccess: async (outcome) => {
      if ('failure' in outcome) {
        // A refusal may be about one that was changed or deleted elsewhere.
        if (form.ticked.length > 0) void queryClient.invalidateQueries({ queryKey: targetsQuery().queryKey })
        return say(outcome.failure.text, 'error', outcome.failure.aboutPlan)
      }
      if (outcome.scheduled) return onScheduled(outcome.said)
      say(outcome.said)
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
    /** Why the server refused the last start: it stands there until the next try, for a person who looked away. */
    refusal: (start.data && 'failure' in start.data && start.data.failure.refusal) || null,
    stop: async ({ streamId, preparation }: StreamRowData): Promise<void> => {
      if (!streamId) {
        say(STREAM_TEXTS.streamIdInvalid, 'error')
        return
      }
      const consequence = preparation ? NOT_ON_AIR_YET : 'Penonton tidak lagi melihat siaran ini.'
      if (await askConfirmation(STREAM_TEXTS.confirmStop, consequence, 'Hentikan')) {
        stop.mutate(streamId)
      }
    },
    stoppingId: stop.isPending ? stop.variables : null,
  }
}
