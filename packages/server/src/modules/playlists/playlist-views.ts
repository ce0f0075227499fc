import type { Playlist, PlaylistHead, PlaylistItem } from '@siarin/contracts/playlists'
import type { Rendition } from '@siarin/contracts/videos'
import type { VideoRow } from '../library/video-row.ts'
import type { ListState } from './alike.ts'
import type { PlaylistContent, PlaylistRow } from './playlists.repo.ts'

const isoOf = (ms: number): string => new Date(ms).toISOString()

export type VideosById = ReadonlyMap<string, VideoRow>

export const toHead = (playlist: PlaylistRow): PlaylistHead => ({
  id: playlist.id,
  name: playlist.name,
  shuffle: playlist.shuffle === 1,
  count: Number(playlist.item_count),
  duration: Math.round(Number(playlist.duration_ms) / 1000),
  createdAt: isoOf(playlist.created_at),
  updatedAt: isoOf(playlist.updated_at),
  version: playlist.version,
})

export function toPlaylist(content: PlaylistContent, videos: VideosById, state: ListState): Playlist {
  const items = content.items.map(({ id, video_id }, index): PlaylistItem => {
    const video = videos.get(video_id)
    return {
      id,
      index,
      filename: video?.filename ?? '',
      duration: video?.duration_ms == null ? null : video.duration_ms / 1000,
      status: (video?.status ?? 'failed') as PlaylistItem['status'],
      fits: state.fits[index] ?? null,
      rendition: renditionView(state.renditions.get(video_id)),
    }
  })
  return { ...toHead(content.playlist), items, recipe: content.playlist.recipe, alike: state.alike }
}

function renditionView(found: Rendition | undefined): PlaylistItem['rendition'] {
  if (!found) return null
  const { state, progress, secondsLeft, queue, reason } = found
  return { state, progress, secondsLeft, queue, reason }
}

/** Where the next page begins; null: that cannot be read. */
export function readCursor(cursor: string): { createdAt: number; id: string } | null {
  const [, createdAt = '', id = ''] = /^(\d{1,15})-([\w-]{1,100})$/.exec(cursor) ?? []
  return id === '' ? null : { createdAt: Number(createdAt), id }
}

export const cursorOf = ({ created_at, id }: { created_at: number; id: string }): string => `${created_at}-${id}`
