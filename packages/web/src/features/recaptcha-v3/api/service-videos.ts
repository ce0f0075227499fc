import type { TicketAnswer } from '@siarin/contracts/auth'
import { UPLOAD_TIMEOUT_MS } from '@siarin/contracts/limits'
import { API_KEY_TEXTS } from '@siarin/contracts/texts'
import { thumbnailPath, type VideoAnswer, videoPath } from '@siarin/contracts/videos'
import { queryOptions } from '@tanstack/react-query'
import axios, { type AxiosRequestConfig } from 'axios'
import { FeatureError, serviceCall } from '../../../lib/feature-calls.ts'
import { settings } from '../../../lib/settings.ts'
import { allVideoPages, newestFirst, type VideoPage } from '../../library/api/videos.ts'

/** A client of its own: the session of this page is no business of another host. */
const client = axios.create()

const address = (path: string): string => settings().videoServiceUrl + path

function keyed(apiKey: string): { headers: { 'X-API-Key': string } } {
  if (!apiKey) throw new FeatureError(API_KEY_TEXTS.required)
  return { headers: { 'X-API-Key': apiKey } }
}

/** A service that gives none still has its list. */
const fetchTicket = (config: AxiosRequestConfig): Promise<string> =>
  serviceCall<TicketAnswer>(client, { method: 'POST', url: address('/fitur/video/ticket'), ...config }).then(
    ({ data }) => data.ticket,
    () => '',
  )

export const serviceVideosQuery = (apiKey: string) =>
  queryOptions({
    queryKey: ['service-videos', apiKey],
    queryFn: async ({ signal }) => {
      const config = { signal, ...keyed(apiKey) }
      const [pages, ticket] = await Promise.all([
        allVideoPages((path) => serviceCall<VideoPage>(client, { url: address(path), ...config })),
        fetchTicket(config),
      ])
      return { videos: newestFirst(pages.flatMap(({ data }) => data)), ticket }
    },
  })

/** The address of something that the browser fetches by itself: the key stays out of it. */
const withTicket = (path: string, ticket: string): string => `${address(path)}?ticket=${encodeURIComponent(ticket)}`

export const servicePlayUrl = (filename: string, ticket: string): string => withTicket(videoPath(filename), ticket)
export const servicePictureUrl = (filename: string, ticket: string): string =>
  withTicket(thumbnailPath(filename), ticket)

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
