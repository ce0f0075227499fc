import { skipToken, useQuery } from '@tanstack/react-query'
import type { Picked } from '../../lib/picked.ts'
import { playUrl } from '../library/api/videos.ts'
import { playlistQuery } from '../playlists/api/playlists.ts'
import { playlistFacts } from '../playlists/playlist-words.ts'

/** A picked playlist with its name, what there is to know of it, and the video with which it begins; anything else as it is. */
export function useNamedPick(picked: Picked | null): Picked | null {
  const chosen = picked?.playlist
  const query = playlistQuery(chosen?.id ?? '')
  const { data } = useQuery({ ...query, ...(!chosen && { queryFn: skipToken, refetchInterval: false }) })
  if (!picked || !chosen || !data) return picked
  const start = data.items.find(({ id }) => id === chosen.itemId)
  const first = start ?? data.items[0]
  const facts = [...playlistFacts(data), ...(start ? [`mulai dari ${start.filename}`] : [])]
  return {
    ...picked,
    name: data.name,
    url: first?.status === 'ready' ? playUrl(first.filename) : null,
    playlist: { ...chosen, facts },
  }
}
