import type { Playlist, PlaylistItem } from '@siarin/contracts/playlists'

/** What a person does to a list that they look at. */
export type PlaylistEdit =
  | { readonly kind: 'move'; readonly itemId: string; readonly index: number }
  | { readonly kind: 'remove'; readonly itemId: string }
  /** The same video once more, before the item at `index`. */
  | { readonly kind: 'repeat'; readonly filename: string; readonly index: number }
  | { readonly kind: 'shuffle'; readonly on: boolean }

const inOrder = (items: readonly PlaylistItem[]): PlaylistItem[] => items.map((item, index) => ({ ...item, index }))

const lengthOf = (items: readonly PlaylistItem[]): number =>
  Math.round(items.reduce((sum, { duration }) => sum + (duration ?? 0), 0))

function withItems(playlist: Playlist, items: readonly PlaylistItem[]): Playlist {
  return { ...playlist, items: inOrder(items), count: items.length, duration: lengthOf(items) }
}

/**
 * The list as it will be, before the server has said so. Each edit may be applied twice without harm: the server's answer can come
 * while the edit still counts as on its way. A repeated item gets its id from the server, so it is shown once that has answered.
 */
export function applyEdit(playlist: Playlist, edit: PlaylistEdit): Playlist {
  switch (edit.kind) {
    case 'move': {
      const moved = playlist.items.find(({ id }) => id === edit.itemId)
      if (!moved) return playlist
      const others = playlist.items.filter((item) => item !== moved)
      return withItems(playlist, others.toSpliced(edit.index, 0, moved))
    }
    case 'remove':
      return withItems(
        playlist,
        playlist.items.filter(({ id }) => id !== edit.itemId),
      )
    case 'shuffle':
      return { ...playlist, shuffle: edit.on }
    case 'repeat':
      return playlist
  }
}

/** Where a row that is dragged would come to lie: behind the others whose middle is above the pointer. */
export const dropIndex = (middles: readonly number[], from: number, y: number): number =>
  middles.filter((middle, index) => index !== from && middle < y).length
