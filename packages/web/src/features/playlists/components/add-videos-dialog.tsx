import { PLAYLIST_ITEM_MIN_MS, PLAYLIST_ITEMS_MAX, type Playlist } from '@siarin/contracts/playlists'
import type { Video } from '@siarin/contracts/videos'
import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { buttonStyle } from '../../../components/button-styles.ts'
import { FactLine } from '../../../components/fact-line.tsx'
import { Field, Input } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { ListFrame } from '../../../components/list-frame.tsx'
import { classes } from '../../../lib/classes.ts'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { formatDuration } from '../../../lib/format.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { videosQuery } from '../../library/api/videos.ts'
import { preparationWords } from '../../library/video-facts.ts'
import { VideoPicture } from '../../library/video-picture.tsx'
import { useAddVideos } from '../use-playlist-edits.ts'

/** Why a video cannot be an item; null: it can. */
function refusalOf({ status, duration }: Video): string | null {
  if (status === 'failed') return 'Gagal disiapkan'
  const tooShort = typeof duration === 'number' && duration * 1000 < PLAYLIST_ITEM_MIN_MS
  return tooShort ? 'Lebih pendek dari 2 detik' : null
}

function factsOf(video: Video, times: number): string[] {
  const refusal = refusalOf(video)
  return [
    ...(typeof video.duration === 'number' ? [formatDuration(video.duration)] : []),
    ...(refusal ? [refusal] : video.status === 'processing' ? [preparationWords(video)] : []),
    ...(times > 0 ? [`Sudah ada ${times === 1 ? '' : `${times} kali `}di playlist`] : []),
  ]
}

interface ChoiceProps {
  video: Video
  times: number
  checked: boolean
  onToggle: () => void
}

function Choice({ video, times, checked, onToggle }: ChoiceProps) {
  const disabled = refusalOf(video) !== null
  return (
    <li>
      <label
        className={classes(
          'flex min-h-11 items-center gap-3 px-6 py-3',
          disabled ? 'opacity-55' : 'cursor-pointer hover:bg-raised',
        )}
      >
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-(--color-accent)"
          checked={checked}
          disabled={disabled}
          onChange={onToggle}
        />
        <VideoPicture video={video} />
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate text-left text-sm font-semibold" title={video.filename}>
            {video.filename}
          </span>
          <FactLine facts={factsOf(video, times)} />
        </span>
      </label>
    </li>
  )
}

const wordsOf = (text: string): string[] => text.toLocaleLowerCase('id').split(/\s+/).filter(Boolean)

const matches = ({ filename }: Video, typed: string): boolean => {
  const name = filename.toLocaleLowerCase('id')
  return wordsOf(typed).every((word) => name.includes(word))
}

interface ChoicesProps {
  playlist: Playlist
  typed: string
  chosen: readonly string[]
  onToggle: (filename: string) => void
}

function Choices({ playlist, typed, chosen, onToggle }: ChoicesProps) {
  const { data, error, refetch } = useQuery(videosQuery())
  const shown = data?.videos.filter((video) => matches(video, typed))
  const hasNone = data?.videos.length === 0
  return (
    <div className="-mx-6 border-y border-line">
      <ListFrame
        label="Video di perpustakaan"
        count={shown?.length}
        failure={error && featureMessage(error, REQUEST_FAILED)}
        onReload={() => void refetch()}
        emptyText={
          hasNone ? 'Anda belum punya video. Upload dulu, lalu kembali ke sini.' : 'Tidak ada video dengan nama itu.'
        }
        emptyAction={
          hasNone && (
            <Link to="/fitur/live" className={buttonStyle('secondary', 'small')}>
              Upload video
            </Link>
          )
        }
      >
        {shown?.map((video) => (
          <Choice
            key={video.filename}
            video={video}
            times={playlist.items.filter(({ filename }) => filename === video.filename).length}
            checked={chosen.includes(video.filename)}
            onToggle={() => onToggle(video.filename)}
          />
        ))}
      </ListFrame>
    </div>
  )
}

interface AddVideosDialogProps {
  playlist: Playlist
  onAdded: (count: number) => void
  onClose: () => void
}

/** Videos of the library for the end of the list, in the order in which they are ticked. */
export function AddVideosDialog({ playlist, onAdded, onClose }: AddVideosDialogProps) {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const add = useAddVideos(playlist.id)
  const refusal = add.error instanceof SessionEndedError ? null : add.error
  const room = PLAYLIST_ITEMS_MAX - playlist.count
  const tooMany = chosen.length > room ? `Playlist ini hanya punya tempat untuk ${room} video lagi.` : null
  const toggle = (filename: string): void =>
    setChosen(chosen.includes(filename) ? chosen.filter((name) => name !== filename) : [...chosen, filename])
  return (
    <FormDialog
      title="Tambah video"
      description="Ditambahkan di akhir, sesuai urutan Anda mencentang."
      submit={{
        label: chosen.length > 0 ? `Tambahkan ${chosen.length} video` : 'Tambahkan',
        busyLabel: 'Menambahkan...',
        disabled: chosen.length === 0 || tooMany !== null,
      }}
      busy={add.isPending}
      failure={tooMany ?? (refusal && featureMessage(refusal, REQUEST_FAILED))}
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen.length > 0 && !tooMany) add.mutate([...chosen], { onSuccess: () => onAdded(chosen.length) })
      }}
      onClose={onClose}
    >
      <Field id="video-search" label="Cari video">
        <span className="relative block">
          <Search
            aria-hidden
            size={18}
            strokeWidth={1.75}
            className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-soft"
          />
          <Input
            type="search"
            className="pl-10"
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </span>
      </Field>
      <Choices playlist={playlist} typed={typed} chosen={chosen} onToggle={toggle} />
    </FormDialog>
  )
}
