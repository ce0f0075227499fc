import type { PlaylistNow } from '@siarin/contracts/playlists'
import { useQuery } from '@tanstack/react-query'
import { activeStreamsQuery } from '../broadcasts/api/active-streams.ts'

/** A list that plays goes on to its next item by itself; nobody pushes that to this screen. */
const NOW_POLL_MS = 4000

/** What broadcasts play of the person's lists now: one entry for each broadcast that plays one. */
export function usePlaylistsOnAir(): readonly PlaylistNow[] {
  const { data } = useQuery({
    ...activeStreamsQuery(),
    refetchInterval: ({ state }) => (state.data?.streams.some(({ playlist }) => playlist) ? NOW_POLL_MS : false),
  })
  return data?.streams.flatMap(({ playlist }) => playlist ?? []) ?? []
}
