import type { Playlist, PlaylistItem, PlaylistNow } from '@siarin/contracts/playlists'
import { useLayoutEffect, useRef } from 'react'
import type { PlaylistEdit } from '../playlist-edits.ts'
import { useDragOrder } from '../use-drag-order.ts'
import { ItemRow, type MoveWay, moveButtonId } from './item-row.tsx'

interface PlaylistItemsProps {
  playlist: Playlist
  onAir: readonly PlaylistNow[]
  onEdit: (edit: PlaylistEdit, said: string) => void
}

/** A row that moves loses the focus in the browser; its button gets it back, or its other one at the list's end. */
function useKeptFocus(order: string) {
  const moved = useRef<{ readonly itemId: string; readonly way: MoveWay } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus is given back when the order has changed
  useLayoutEffect(() => {
    if (!moved.current) return
    const { itemId, way } = moved.current
    moved.current = null
    const ids = [moveButtonId(itemId, way), moveButtonId(itemId, way === 'up' ? 'down' : 'up')]
    const buttons = ids.map((id) => document.getElementById(id)).filter((found) => found instanceof HTMLButtonElement)
    buttons.find(({ disabled }) => !disabled)?.focus()
  }, [order])
  return moved
}

const playingOf = (itemId: string, onAir: readonly PlaylistNow[]): 'now' | 'next' | null => {
  if (onAir.some((now) => now.itemId === itemId)) return 'now'
  return onAir.some(({ next }) => next?.itemId === itemId) ? 'next' : null
}

export function PlaylistItems({ playlist, onAir, onEdit }: PlaylistItemsProps) {
  const { id: playlistId, items } = playlist
  const list = useRef<HTMLOListElement>(null)
  const moved = useKeptFocus(items.map(({ id }) => id).join(' '))

  const move = (item: PlaylistItem, index: number): void =>
    onEdit(
      { kind: 'move', itemId: item.id, index },
      `${item.filename} dipindah ke urutan ${index + 1} dari ${items.length}.`,
    )
  const { drag, handle } = useDragOrder(list, (itemId, index) => {
    const item = items.find(({ id }) => id === itemId)
    if (item) move(item, index)
  })
  const markOf = (index: number): 'dragged' | 'before' | 'behind' | null => {
    if (!drag) return null
    if (index === drag.from) return 'dragged'
    if (index !== drag.to) return null
    return drag.to < drag.from ? 'before' : 'behind'
  }

  return (
    <ol ref={list} aria-label="Isi playlist" className="divide-y divide-line">
      {items.map((item, index) => (
        <ItemRow
          key={item.id}
          playlistId={playlistId}
          item={item}
          count={items.length}
          playing={playingOf(item.id, onAir)}
          mark={markOf(index)}
          handle={handle(item.id, index)}
          onMove={(which, way) => {
            moved.current = { itemId: which.id, way }
            move(which, which.index + (way === 'up' ? -1 : 1))
          }}
          onRepeat={({ filename }) =>
            onEdit({ kind: 'repeat', filename, index: index + 1 }, `${filename} diputar sekali lagi sesudahnya.`)
          }
          onRemove={({ id, filename }) =>
            onEdit({ kind: 'remove', itemId: id }, `${filename} dikeluarkan dari playlist.`)
          }
        />
      ))}
    </ol>
  )
}
