import type {
  RecordingAnswer,
  RecordingsAnswer,
  UsedRecordingAnswer,
  UseRecordingBody,
} from '@siarin/contracts/recordings'
import type { Video } from '@siarin/contracts/videos'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { FeatureError, featureDelete, featureGet, featurePost, featureUrl } from '../../../lib/feature-calls.ts'
import { ensurePageTicket } from '../../../lib/page-ticket.ts'

const RECORDINGS = '/fitur/recording'
const PAGE = 20
/** What is being recorded grows. */
const LIST_POLL_MS = 10_000
const DETAILS_POLL_MS = 5000

/** All that changes with a recording. */
export const RECORDINGS_KEY = ['recordings'] as const

const pathOf = (id: string): string => `${RECORDINGS}/${encodeURIComponent(id)}`

/** Newest first; null: of all broadcasts. */
export const recordingsQuery = (broadcastId: string | null) =>
  infiniteQueryOptions({
    queryKey: [...RECORDINGS_KEY, 'list', broadcastId],
    queryFn: async ({ signal, pageParam }): Promise<RecordingsAnswer> => {
      const asked = new URLSearchParams({ limit: String(PAGE) })
      if (pageParam !== null) asked.set('cursor', pageParam)
      if (broadcastId !== null) asked.set('broadcastId', broadcastId)
      const [answer] = await Promise.all([
        featureGet<RecordingsAnswer>(`${RECORDINGS}?${asked}`, signal),
        ensurePageTicket(),
      ])
      return answer
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchOnMount: 'always',
    // A person who sees none may have just pressed Go Live: the first one comes by itself.
    refetchInterval: ({ state }) => {
      const known = state.data?.pages.flatMap(({ recordings }) => recordings)
      return known && (known.length === 0 || known.some((each) => each.state === 'recording')) ? LIST_POLL_MS : false
    },
  })

export const recordingQuery = (id: string) =>
  queryOptions({
    queryKey: [...RECORDINGS_KEY, id],
    queryFn: async ({ signal }) => {
      const [{ recording }] = await Promise.all([featureGet<RecordingAnswer>(pathOf(id), signal), ensurePageTicket()])
      return recording
    },
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.state === 'recording' ? DETAILS_POLL_MS : false),
  })

export const removeRecording = async (id: string): Promise<string> => (await featureDelete(pathOf(id))).message

export const recordingToVideo = async (id: string, body: UseRecordingBody): Promise<Video> =>
  (await featurePost<UsedRecordingAnswer>(`${pathOf(id)}/video`, body)).video

export const pictureUrl = (id: string): string => featureUrl(`${pathOf(id)}/picture`)
export const playlistUrl = (id: string): string => featureUrl(`${pathOf(id)}/index.m3u8`)

/** What the browser saves by itself: however long it is, the page does not hold it. */
export const fileUrl = (id: string, part: { from?: number; to?: number }): string =>
  [featureUrl(`${pathOf(id)}/file`), ...Object.entries(part).map(([name, seconds]) => `${name}=${seconds}`)].join('&')

/** Nothing of that id is there any more, or it is somebody else's. */
export const isUnknown = (error: unknown): boolean =>
  error instanceof FeatureError && error.code?.endsWith('not_found') === true
