import type { PlaylistHead, PlaylistPageAnswer } from '@siarin/contracts/playlists'
import { queryOptions } from '@tanstack/react-query'
import { featureGet } from '../../../lib/feature-calls.ts'

const PAGE = '/fitur/playlist?limit=100'

async function allPlaylists(signal: AbortSignal): Promise<readonly PlaylistHead[]> {
  const found: PlaylistHead[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const after: string = cursor && `&cursor=${encodeURIComponent(cursor)}`
    const page: PlaylistPageAnswer = await featureGet<PlaylistPageAnswer>(PAGE + after, signal)
    found.push(...page.playlists)
    cursor = page.nextCursor
  }
  return found
}

/** Newest first. There are at most some hundred: no page asks for another. */
export const playlistsQuery = () =>
  queryOptions({
    queryKey: ['playlists'],
    queryFn: ({ signal }) => allPlaylists(signal),
    refetchOnMount: 'always',
  })
