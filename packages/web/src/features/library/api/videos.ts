import {
  type Rendition,
  type RenditionAnswer,
  renditionPath,
  type StorageUse,
  thumbnailPath,
  type Video,
  type VideoAnswer,
  type VideoListAnswer,
  videoPath,
} from '@siarin/contracts/videos'
import { queryOptions } from '@tanstack/react-query'
import { featureDelete, featureGet, featurePost, featureUrl } from '../../../lib/feature-calls.ts'
import { isOnline } from '../../../lib/online-address.ts'
import { ensurePageTicket } from '../../../lib/page-ticket.ts'

/** How soon a video that is still being prepared is looked at again. */
const PREPARING_POLL_MS = 2000

export interface Library {
  readonly videos: Video[]
  /** Another server of the same API may not say it. */
  readonly storage: StorageUse | null
}

export const newestFirst = (videos: readonly Video[]): Video[] =>
  videos.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))

/** Another server of the same API may know neither pages nor room. */
export type VideoPage = Pick<VideoListAnswer, 'success' | 'message' | 'data'> & Partial<VideoListAnswer>

/** The screens search and sort the whole library, which comes in pages. */
export async function allVideoPages(fetchPage: (path: string) => Promise<VideoPage>): Promise<VideoPage[]> {
  const pages: VideoPage[] = []
  let path: string | null = '/fitur/video'
  while (path !== null) {
    const page: VideoPage = await fetchPage(path)
    pages.push(page)
    path = page.nextCursor ? `/fitur/video?cursor=${encodeURIComponent(page.nextCursor)}` : null
  }
  return pages
}

export const videosQuery = () =>
  queryOptions({
    queryKey: ['videos'],
    queryFn: async ({ signal }): Promise<Library> => {
      const [pages] = await Promise.all([
        allVideoPages((path) => featureGet<VideoPage>(path, signal)),
        ensurePageTicket(),
      ])
      return { videos: newestFirst(pages.flatMap(({ data }) => data)), storage: pages[0]?.storage ?? null }
    },
    refetchOnMount: 'always',
  })

/** For the one who keeps the list fresh while something is being prepared. */
export const videosPoll = (library: Pick<Library, 'videos'> | undefined): number | false =>
  library?.videos.some(({ status, renditions }) => status === 'processing' || renditions?.some(isUnderWay))
    ? PREPARING_POLL_MS
    : false

export const isUnderWay = ({ state }: Pick<Rendition, 'state'>): boolean => state === 'waiting' || state === 'preparing'

/** The address at which the player finds a source: an online one as it is, a file through the server with a ticket. */
export function playUrl(source: string): string {
  if (isOnline(source)) return source
  return featureUrl(source.startsWith('/') ? source : videoPath(source))
}

export const thumbnailUrl = (filename: string): string => featureUrl(thumbnailPath(filename))

export async function deleteVideo(filename: string): Promise<string> {
  const { message } = await featureDelete(`/fitur/video/delete/${encodeURIComponent(filename)}`)
  return message
}

export async function importVideo(url: string): Promise<string> {
  const { message } = await featurePost<VideoAnswer>('/fitur/video/import', { url })
  return message
}

/** Prepares a video again that could not be prepared. */
export async function retryVideo(filename: string): Promise<string> {
  const { message } = await featurePost(`/fitur/video/retry/${encodeURIComponent(filename)}`)
  return message
}

/** Another version of it, which a platform takes as it is. */
export const orderRendition = async (filename: string, preset: string): Promise<Rendition> =>
  (await featurePost<RenditionAnswer>(renditionPath(filename), { preset })).rendition

export async function removeRendition(filename: string, recipe: string): Promise<string> {
  const { message } = await featureDelete(`${renditionPath(filename)}?recipe=${encodeURIComponent(recipe)}`)
  return message
}
