import type { AddPlaylistItemsBody, Playlist, PlaylistAnswer } from '@siarin/contracts/playlists'
import { queryOptions } from '@tanstack/react-query'
import { featureDelete, featureGet, featurePatch, featurePost } from '../../../lib/feature-calls.ts'
import { ensurePageTicket } from '../../../lib/page-ticket.ts'
import { isUnderWay } from '../../library/api/videos.ts'
import type { PlaylistEdit } from '../playlist-edits.ts'

/** How soon a list is looked at again while one of its videos is being prepared, or while the server finds out whether it fits. */
const POLL_MS = 3000
/** A video that cannot be looked into is not asked for without end. */
const MOST_LOOKS = 20

function pollMs({ items, alike }: Playlist, looks: number): number | false {
  const preparing =
    items.some(({ status, rendition }) => status === 'processing' || (rendition && isUnderWay(rendition))) ||
    (alike?.underWay ?? 0) > 0
  const isUnjudged = ({ status, fits }: Playlist['items'][number]): boolean =>
    status === 'ready' && (fits === null || (fits === false && alike === null))
  const unjudged = looks < MOST_LOOKS && items.some(isUnjudged)
  return preparing || unjudged ? POLL_MS : false
}

const pathOf = (id: string): string => `/fitur/playlist/${encodeURIComponent(id)}`
const itemPath = (id: string, itemId: string): string => `${pathOf(id)}/items/${encodeURIComponent(itemId)}`

export const playlistQuery = (id: string) =>
  queryOptions({
    queryKey: ['playlist', id],
    queryFn: async ({ signal }): Promise<Playlist> => {
      const [{ playlist }] = await Promise.all([featureGet<PlaylistAnswer>(pathOf(id), signal), ensurePageTicket()])
      return playlist
    },
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data ? pollMs(state.data, state.dataUpdateCount) : false),
  })

export const createPlaylist = async (name: string): Promise<Playlist> =>
  (await featurePost<PlaylistAnswer>('/fitur/playlist', { name })).playlist

export const renamePlaylist = async (id: string, name: string): Promise<Playlist> =>
  (await featurePatch<PlaylistAnswer>(pathOf(id), { name })).playlist

export const removePlaylist = async (id: string): Promise<string> => (await featureDelete(pathOf(id))).message

export const addItems = async (id: string, body: AddPlaylistItemsBody): Promise<Playlist> =>
  (await featurePost<PlaylistAnswer>(`${pathOf(id)}/items`, body)).playlist

/** Makes what is needed so that all of its videos follow each other without a reconnection. */
export const makeAlike = async (id: string): Promise<PlaylistAnswer> =>
  featurePost<PlaylistAnswer>(`${pathOf(id)}/alike`)

/** `version`: of the list as the person saw it. What was taken out is out, whatever else has changed: that needs none. */
export async function sendEdit(id: string, edit: PlaylistEdit, version: number | undefined): Promise<Playlist> {
  const seen = version === undefined ? {} : { version }
  switch (edit.kind) {
    case 'move':
      return (await featurePatch<PlaylistAnswer>(itemPath(id, edit.itemId), { index: edit.index, ...seen })).playlist
    case 'remove':
      return (await featureDelete<PlaylistAnswer>(itemPath(id, edit.itemId))).playlist
    case 'repeat':
      return addItems(id, { videos: [edit.filename], index: edit.index, ...seen })
    case 'shuffle':
      return (await featurePatch<PlaylistAnswer>(pathOf(id), { shuffle: edit.on, ...seen })).playlist
  }
}
