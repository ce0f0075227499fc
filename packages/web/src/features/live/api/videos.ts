import { UPLOAD_TIMEOUT_MS } from '@siarin/contracts/limits'
import { type Video, type VideoAnswer, type VideoListAnswer, videoPath } from '@siarin/contracts/videos'
import { queryOptions } from '@tanstack/react-query'
import { asFeatureError, FeatureError, featureAccess, featureDelete, featureGet } from '../../../lib/feature-calls.ts'
import { http } from '../../../lib/http.ts'

/** How soon a video that is still being prepared is looked at again. */
const PREPARING_POLL_MS = 3000

const newestFirst = (videos: readonly Video[]): Video[] =>
  videos.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))

export const videosQuery = () =>
  queryOptions({
    queryKey: ['videos'],
    queryFn: async ({ signal }) => newestFirst((await featureGet<VideoListAnswer>('/fitur/video', signal)).data),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      state.data?.some((video) => video.status === 'processing') ? PREPARING_POLL_MS : false,
  })

/** The address at which the player finds a source: an online one as it is, a file through the server with the key. */
export function playUrl(source: string): string {
  if (/^https?:\/\//i.test(source)) return source
  const { server, apiKey } = featureAccess()
  const path = source.startsWith('/') ? source : videoPath(source)
  return `${server}${path}?apiKey=${encodeURIComponent(apiKey)}`
}

/** The specified call: the key in the query, since the body is the file. */
export async function uploadVideo(file: File, onProgress: (percent: number) => void): Promise<string> {
  const { server, apiKey } = featureAccess()
  const form = new FormData()
  form.append('video', file)
  try {
    const { data } = await http.post<Partial<VideoAnswer>>(`${server}/fitur/video/upload`, form, {
      params: { apiKey },
      timeout: UPLOAD_TIMEOUT_MS,
      onUploadProgress: ({ loaded, total }) => onProgress(total ? Math.round((loaded / total) * 100) : 0),
    })
    if (!data.success) throw new FeatureError(data.message ?? '')
    return data.message ?? ''
  } catch (error) {
    throw asFeatureError(error)
  }
}

export async function deleteVideo(filename: string): Promise<string> {
  const { message } = await featureDelete(`/fitur/video/delete/${encodeURIComponent(filename)}`)
  return message
}
