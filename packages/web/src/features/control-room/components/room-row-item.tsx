import type { PlaylistNow } from '@siarin/contracts/playlists'
import { useQuery } from '@tanstack/react-query'
import { ChartNoAxesColumn, Film, TriangleAlert } from 'lucide-react'
import { memo, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import { classes } from '../../../lib/classes.ts'
import { formatInstant } from '../../../lib/format.ts'
import { useNow } from '../../../lib/use-now.ts'
import { activeStreamsQuery } from '../../broadcasts/api/active-streams.ts'
import { OnAirClock } from '../../broadcasts/on-air-clock.tsx'
import { placeWords } from '../../broadcasts/playlist-position.ts'
import { nextTryWords } from '../../broadcasts/stream-words.ts'
import { usePlaylistPosition } from '../../broadcasts/use-playlist-position.ts'
import { thumbnailUrl } from '../../library/api/videos.ts'
import type { RoomRow } from '../room-row.ts'
import { isStartable } from '../use-room-actions.ts'
import { TargetLamps } from './target-lamps.tsx'

function Picture({ filename }: { filename: string | null }) {
  const [broken, setBroken] = useState(false)
  return (
    <span className="grid h-10 w-18 shrink-0 place-items-center overflow-hidden rounded-[8px] bg-pressed text-ink-soft">
      {filename !== null && !broken ? (
        <img
          src={thumbnailUrl(filename)}
          alt=""
          width={72}
          height={40}
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
          onError={() => setBroken(true)}
        />
      ) : (
        <Film aria-hidden size={18} strokeWidth={1.75} />
      )}
    </span>
  )
}

function NextTry({ at }: { at: string }) {
  const words = nextTryWords(at, useNow())
  return words && <span className="tabular-nums">, {words}</span>
}

function Playing({ label, name }: { label: string; name: string }) {
  return (
    <span className="flex min-w-0 gap-1">
      <span className="shrink-0 font-semibold">{label}</span>
      <bdi className="truncate" title={name}>
        {name}
      </bdi>
    </span>
  )
}

/** '3 dari 20 · 12:04 / 1:45:10' */
function ListClock({ playlist, isLive }: { playlist: PlaylistNow; isLive: boolean }) {
  const { round } = usePlaylistPosition(playlist, isLive)
  return (
    <span className="truncate tabular-nums" data-testid="list-clock">
      {placeWords(playlist)} · {round}
    </span>
  )
}

/** It asks for itself, so that the rest of the row is not painted again with each telling. */
function ListPosition({ streamId }: { streamId: string }) {
  const { data: stream } = useQuery({
    ...activeStreamsQuery(),
    enabled: false,
    select: ({ streams }) => streams.find((each) => each.streamId === streamId),
  })
  return stream?.playlist && <ListClock playlist={stream.playlist} isLive={stream.state === 'live'} />
}

/** What is wrong, else what plays and what follows, else what is to be known. */
function Now({ row }: { row: RoomRow }) {
  const { trouble, playing, note } = row
  if (trouble !== null) {
    return (
      <p className="flex min-w-0 gap-1.5 text-xs text-warn-ink">
        <TriangleAlert aria-hidden size={14} strokeWidth={1.75} className="mt-px shrink-0" />
        <span className="line-clamp-2 min-w-0 break-words" title={trouble}>
          {trouble}
          {row.nextTryAt !== null && <NextTry at={row.nextTryAt} />}
        </span>
      </p>
    )
  }
  if (playing) {
    return (
      <p className="grid min-w-0 text-xs text-ink-soft">
        <Playing label="Kini" name={playing.now} />
        {playing.next !== null && <Playing label="Berikutnya" name={playing.next} />}
        {playing.listedBy !== null && <ListPosition streamId={playing.listedBy} />}
      </p>
    )
  }
  return note !== null && <p className="line-clamp-2 min-w-0 text-xs text-ink-soft tabular-nums">{note}</p>
}

function Clock({ row }: { row: RoomRow }) {
  if (row.onAirSince !== null) {
    return <OnAirClock stream={{ firstLiveAt: row.onAirSince }} className="text-sm font-semibold whitespace-nowrap" />
  }
  return (
    <span className="block text-xs font-semibold text-ink-soft">
      {row.word}
      {row.endedAt !== null && (
        <span className="block font-normal whitespace-nowrap tabular-nums">{formatInstant(row.endedAt)}</span>
      )}
    </span>
  )
}

/** How it went so far. */
function AnalyticsLink({ id, name }: { id: string; name: string }) {
  return (
    <Link
      to={`/fitur/analytics/${encodeURIComponent(id)}`}
      title="Lihat analitik"
      aria-label={`Lihat analitik ${name}`}
      className={buttonStyle('quiet', 'icon')}
    >
      <ChartNoAxesColumn aria-hidden size={18} strokeWidth={1.75} />
    </Link>
  )
}

function RowAction({ row, busy, onAct }: { row: RoomRow; busy: boolean; onAct: (row: RoomRow) => void }) {
  if (!row.isOpen && !isStartable(row)) {
    return (
      <Link to="/fitur/live?tab=live" className={buttonStyle('quiet', 'small')}>
        Buka Live
      </Link>
    )
  }
  const label = row.isOpen ? 'Stop' : 'Mulai lagi'
  return (
    <Button
      look={row.isOpen ? 'danger' : 'secondary'}
      size="small"
      className="whitespace-nowrap"
      busy={busy}
      disabled={busy || row.stopping}
      aria-label={`${label} ${row.name}`}
      onClick={() => onAct(row)}
    >
      {label}
    </Button>
  )
}

/** Two rows: what it is, and how it is with what can be done; three for what has ended. One more only where there is something to say. */
const CARD = 'grid-cols-[2.75rem_4.5rem_minmax(0,1fr)_auto_auto] gap-y-2 rounded-card border border-line p-3'
const LINE =
  'md:h-14 md:grid-cols-[2.75rem_4.5rem_minmax(0,1.3fr)_10.5rem_7rem_minmax(0,1.2fr)_7rem] md:gap-y-0 md:rounded-none md:border-x-0 md:border-b-0 md:px-3 md:py-0 md:first:border-t-0'

interface RoomRowItemProps {
  row: RoomRow
  ticked: boolean
  busy: boolean
  /** There are so many rows that those out of sight are not laid out. */
  sparing: boolean
  /** A link led to this one. */
  asked: boolean
  onTick: (id: string, ticked: boolean) => void
  onAct: (row: RoomRow) => void
}

/** Once, when it is painted: afterwards it stays where the reader has scrolled to. */
const showRow = (row: HTMLElement | null): void => row?.scrollIntoView({ block: 'center' })

/** A line of 56 px on a desktop, a card on a phone. */
export const RoomRowItem = memo(function RoomRowItem(props: RoomRowItemProps) {
  const { row, ticked, busy, sparing, asked, onTick, onAct } = props
  return (
    <li
      ref={asked ? showRow : undefined}
      data-testid="room-row"
      aria-current={asked ? 'true' : undefined}
      className={classes(
        'grid items-center gap-x-3',
        CARD,
        LINE,
        ticked ? 'bg-accent-wash' : 'bg-card md:hover:bg-raised',
        asked && 'outline-2 -outline-offset-2 outline-accent',
        sparing &&
          '[contain-intrinsic-size:auto_7.75rem] [content-visibility:auto] md:[contain-intrinsic-size:auto_3.5rem]',
      )}
    >
      <label className="grid size-11 cursor-pointer place-items-center">
        <input
          type="checkbox"
          checked={ticked}
          aria-label={`Pilih ${row.name}`}
          className="size-5 accent-(--color-accent)"
          onChange={(event) => onTick(row.id, event.currentTarget.checked)}
        />
      </label>
      <Picture filename={row.picture} />
      <span className="col-span-3 flex min-w-0 items-center justify-between gap-2 md:col-span-1">
        <span className="grid min-w-0">
          <span dir="auto" title={row.name} className="truncate text-left text-sm font-semibold">
            {row.name}
          </span>
          {row.source && (
            <span dir="auto" title={row.source} className="truncate text-left text-xs text-ink-soft">
              {row.source}
            </span>
          )}
        </span>
        <AnalyticsLink id={row.targets[0]?.streamId ?? row.id} name={row.name} />
      </span>
      <span className={classes('min-w-0 md:col-span-1', row.isOpen ? 'col-span-3' : 'col-span-5')}>
        <TargetLamps targets={row.targets} />
      </span>
      {/* On a phone a date and 'Mulai lagi' have no room beside the lamps. */}
      <span
        className={classes(
          'md:col-span-1 md:max-w-none md:text-left',
          row.isOpen ? 'max-w-20 text-right' : 'col-span-3',
        )}
      >
        <Clock row={row} />
      </span>
      <span className="order-last col-span-5 min-w-0 empty:hidden md:order-none md:col-span-1 md:empty:block">
        <Now row={row} />
      </span>
      <span className={classes('justify-self-end md:col-span-1', !row.isOpen && 'col-span-2')}>
        <RowAction row={row} busy={busy} onAct={onAct} />
      </span>
    </li>
  )
})
