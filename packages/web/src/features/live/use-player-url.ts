import { skipToken, useQuery } from '@tanstack/react-query'
import type { Picked } from '../../lib/picked.ts'
import { type StreamRowData, streamPreviewQuery } from '../broadcasts/api/active-streams.ts'
import { playUrl } from '../library/api/videos.ts'
import type { OnlineLists } from '../sources/online-video.ts'

/**
 * Where the player finds what is picked; null while that is not known. A person who watches a broadcast sees what is sent: its
 * video, also after it was changed; an online source, or the video that stands in for it.
 */
export function usePlayerUrl(
  picked: Picked | null,
  streams: readonly StreamRowData[] | undefined,
  lists: OnlineLists,
): string | null {
  const watched = picked?.streamId ? streams?.find(({ streamId }) => streamId === picked.streamId) : undefined
  const standIn = watched?.onFallback ? watched.fallback : null
  const asked = watched?.streamId && picked?.online && !standIn ? watched.streamId : null
  const query = streamPreviewQuery(asked ?? '', `${watched?.onFallback} ${watched?.restarts}`)
  const { data } = useQuery({ ...query, ...(asked === null && { queryFn: skipToken, refetchInterval: false }) })

  if (!picked?.online) {
    const playing = watched?.playlist?.filename ?? watched?.source
    return playing ? playUrl(playing) : (picked?.url ?? null)
  }
  if (standIn) return playUrl(standIn)
  if (asked) return data ?? null
  return picked.url ?? previewIn(lists, picked)
}

/** What was broadcast before is found again by its account or its address. */
function previewIn({ live = [], sources = [] }: OnlineLists, { source, online }: Picked): string | null {
  if (!online?.accountId) return sources.find(({ url }) => url === source)?.previewUrl ?? null
  return live.find(({ video }) => video.accountId === online.accountId)?.previewUrl ?? null
}
