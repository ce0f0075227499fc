import type { PlaylistItem } from '@siarin/contracts/playlists'
import {
  ArrowDown,
  ArrowUp,
  CopyPlus,
  EllipsisVertical,
  GripVertical,
  type LucideIcon,
  Play,
  TriangleAlert,
  X,
} from 'lucide-react'
import { type HTMLAttributes, useId, useState } from 'react'
import { Link } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import { classes } from '../../../lib/classes.ts'
import { formatDuration } from '../../../lib/format.ts'
import { VideoPicture } from '../../library/video-picture.tsx'
import { fitWords, goPath } from '../playlist-words.ts'

export type MoveWay = 'up' | 'down'
export const moveButtonId = (itemId: string, way: MoveWay): string => `${way}-${itemId}`

function FitLine({ item }: { item: PlaylistItem }) {
  const words = fitWords(item)
  if (!words) return null
  return (
    <p className={classes('flex gap-1.5 text-xs', words.warns ? 'text-warn-ink' : 'text-ink-soft')}>
      {words.warns && <TriangleAlert aria-hidden size={14} strokeWidth={1.75} className="mt-px shrink-0" />}
      <span className="min-w-0 text-pretty">{words.text}</span>
    </p>
  )
}

interface IconButtonProps {
  id?: string
  icon: LucideIcon
  label: string
  name: string
  disabled?: boolean
  onClick: () => void
}

/** A list may have 500 rows: the browser's own hint costs nothing, a tooltip of ours costs each of them. */
function IconButton({ icon: Icon, label, name, ...button }: IconButtonProps) {
  return (
    <Button look="quiet" size="icon" title={label} aria-label={`${label} ${name}`} {...button}>
      <Icon aria-hidden size={18} strokeWidth={1.75} />
    </Button>
  )
}

interface ItemActions {
  onMove: (item: PlaylistItem, way: MoveWay) => void
  onRepeat: (item: PlaylistItem) => void
  onRemove: (item: PlaylistItem) => void
}

interface ItemRowProps extends ItemActions {
  playlistId: string
  item: PlaylistItem
  count: number
  /** What broadcasts do with it at the moment. */
  playing: 'now' | 'next' | null
  /** It is dragged, or what is dragged would come to lie before or behind it. */
  mark: 'dragged' | 'before' | 'behind' | null
  handle: HTMLAttributes<HTMLElement>
}

const MARKS = {
  dragged: 'bg-raised opacity-60',
  before: 'shadow-[inset_0_2px_0_var(--color-accent)]',
  behind: 'shadow-[inset_0_-2px_0_var(--color-accent)]',
} as const

interface ActionsProps extends Omit<ItemRowProps, 'handle' | 'mark'> {
  id: string
  opened: boolean
}

function Actions({ id, opened, playlistId, item, count, onMove, onRepeat, onRemove }: ActionsProps) {
  const { id: itemId, filename, index } = item
  return (
    <div id={id} className={classes('flex items-center justify-end gap-1 max-sm:-mr-2', !opened && 'max-sm:hidden')}>
      <IconButton
        id={moveButtonId(itemId, 'up')}
        icon={ArrowUp}
        label="Naik"
        name={filename}
        disabled={index === 0}
        onClick={() => onMove(item, 'up')}
      />
      <IconButton
        id={moveButtonId(itemId, 'down')}
        icon={ArrowDown}
        label="Turun"
        name={filename}
        disabled={index === count - 1}
        onClick={() => onMove(item, 'down')}
      />
      <IconButton icon={CopyPlus} label="Ulangi" name={filename} onClick={() => onRepeat(item)} />
      <Link
        to={goPath(playlistId, itemId)}
        title="Siarkan mulai dari sini"
        aria-label={`Siarkan mulai dari ${filename}`}
        className={buttonStyle('quiet', 'icon')}
      >
        <Play aria-hidden size={18} strokeWidth={1.75} />
      </Link>
      <IconButton icon={X} label="Keluarkan" name={filename} onClick={() => onRemove(item)} />
    </div>
  )
}

export function ItemRow(props: ItemRowProps) {
  const { item, playing, mark, handle } = props
  const { filename, duration, index, status } = item
  const [opened, setOpened] = useState(false)
  const actionsId = useId()
  return (
    <li
      className={classes(
        'grid gap-2 py-3 pr-4 pl-1 [contain-intrinsic-size:auto_5.5rem] [content-visibility:auto] sm:grid-cols-[1fr_auto] sm:items-center sm:gap-4',
        mark && MARKS[mark],
      )}
    >
      <div className="flex min-w-0 items-start gap-2 sm:items-center">
        <span
          aria-hidden
          data-testid="drag-handle"
          className="grid h-13.5 w-11 shrink-0 cursor-grab touch-none place-items-center text-ink-soft active:cursor-grabbing"
          {...handle}
        >
          <GripVertical size={20} strokeWidth={1.75} />
        </span>
        <VideoPicture video={{ filename, hasThumbnail: status === 'ready' }} />
        <div className="grid min-w-0 flex-1 gap-0.5 pl-1">
          <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <h2 dir="auto" className="min-w-0 truncate text-left text-sm font-semibold" title={filename}>
              {filename}
            </h2>
            {playing === 'now' && <Badge tone="on-air">Sekarang</Badge>}
            {playing === 'next' && <Badge tone="accent">Berikutnya</Badge>}
          </div>
          <p className="text-xs text-ink-soft tabular-nums">
            Video {index + 1} · {duration === null ? 'Durasi belum diketahui' : formatDuration(duration)}
          </p>
          <FitLine item={item} />
        </div>
        {/* A list is long enough on a phone: what can be done with an item is asked for there. */}
        <button
          type="button"
          aria-expanded={opened}
          aria-controls={actionsId}
          aria-label={`Pilihan untuk ${filename}`}
          className={buttonStyle('quiet', 'icon', '-mr-2 sm:hidden')}
          onClick={() => setOpened(!opened)}
        >
          <EllipsisVertical aria-hidden size={18} strokeWidth={1.75} />
        </button>
      </div>
      <Actions {...props} id={actionsId} opened={opened} />
    </li>
  )
}
