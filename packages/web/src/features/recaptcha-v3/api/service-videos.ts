import { UPLOAD_TIMEOUT_MS } from '@siarin/contracts/limits'
import { API_KEY_TEXTS } from '@siarin/contracts/texts'
import { thumbnailPath, type VideoAnswer, type VideoListAnswer, videoPath } from '@siarin/contracts/videos'
import { queryOptions } from '@tanstack/react-query'
import axios from 'axios'
import { FeatureError, serviceCall } from '../../../lib/feature-calls.ts'
import { settings } from '../../../lib/settings.ts'
import { newestFirst } from '../../live/api/videos.ts'

/** A client of its own: the session of this page is no business of another host. */
const client = axios.create()

const address = (path: string): string => settings().videoServiceUrl + path

function keyed(apiKey: string): { params: { apiKey: string } } {
  if (!apiKey) throw new FeatureError(API_KEY_TEXTS.required)
  return { params: { apiKey } }
}

export const serviceVideosQuery = (apiKey: string) =>
  queryOptions({
    queryKey: ['service-videos', apiKey],
    queryFn: async ({ signal }) => {
      const config = { url: address('/fitur/video'), signal, ...keyed(apiKey) }
      return newestFirst((await serviceCall<VideoListAnswer>(client, config)).data)
    },
  })

/** The address of something that the browser fetches by itself. */
const withKey = (path: string, apiKey: string): string => `${address(path)}?apiKey=${encodeURIComponent(apiKey)}`

export const servicePlayUrl = (filename: string, apiKey: string): string => withKey(videoPath(filename), apiKey)
export const servicePictureUrl = (filename: string, apiKey: string): string => withKey(thumbnailPath(filename), apiKey)

interface ServiceUpload {
  readonly apiKey: string
  readonly file: File
  readonly signal: AbortSignal
  readonly onSent: (bytes: number) => void
}

export async function uploadToService({ apiKey, file, signal, onSent }: ServiceUpload): Promise<string> {
  const data = new FormData()
  data.append('video', file)
  const { message } = await serviceCall<VideoAnswer>(client, {
    method: 'POST',
    url: address('/fitur/video/upload'),
    data,
    signal,
    timeout: UPLOAD_TIMEOUT_MS,
    onUploadProgress: ({ loaded }) => onSent(loaded),
    ...keyed(apiKey),
  })
  return message
}

export async function deleteFromService(apiKey: string, filename: string): Promise<string> {
  const url = address(`/fitur/video/delete/${encodeURIComponent(filename)}`)
  const { message } = await serviceCall(client, { method: 'DELETE', url, ...keyed(apiKey) })
  return message
}
