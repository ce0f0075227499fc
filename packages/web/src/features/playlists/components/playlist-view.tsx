import type { Playlist, PlaylistNow } from '@siarin/contracts/playlists'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ListVideo, Pencil, Plus, Radio, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import { Card } from '../../../components/card.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Page } from '../../../components/page.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { TallyLamp } from '../../../components/tally-lamp.tsx'
import { Tooltip } from '../../../components/tooltip.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { playlistQuery } from '../api/playlists.ts'
import type { PlaylistEdit } from '../playlist-edits.ts'
import { goPath, playlistFacts } from '../playlist-words.ts'
import { usePlaylistEdits } from '../use-playlist-edits.ts'
import { usePlaylistsOnAir } from '../use-playlists-on-air.ts'
import { useRemovePlaylist } from '../use-remove-playlist.ts'
import { AddVideosDialog } from './add-videos-dialog.tsx'
import { AlikeNotice } from './alike-notice.tsx'
import { PlaylistItems } from './playlist-items.tsx'
import { PlaylistNameDialog } from './playlist-name-dialog.tsx'

const SKELETON_ROWS = ['one', 'two', 'three', 'four'] as const
const AT_NEXT_JOIN = 'Perubahan berlaku pada sambungan berikutnya.'

function BackLink() {
  return (
    <Link
      to="/fitur/playlist"
      className="-ml-2 inline-flex min-h-11 w-fit items-center gap-2 rounded-control px-2 text-sm font-semibold text-ink-soft hover:text-ink"
    >
      <ArrowLeft aria-hidden size={18} strokeWidth={1.75} />
      Semua playlist
    </Link>
  )
}

/** It is on air: what was changed is not seen at once. */
function OnAirNote({ onAir }: { onAir: readonly PlaylistNow[] }) {
  const [first] = onAir
  if (!first) return null
  return (
    <div className="flex gap-2.5 border-b border-line bg-on-air-wash px-4 py-3 text-sm sm:px-6">
      <span className="mt-1.5">
        <TallyLamp lit />
      </span>
      <p className="min-w-0 text-pretty">
        <span className="font-semibold">
          {onAir.length > 1 ? `Sedang tayang di ${onAir.length} siaran.` : 'Sedang tayang.'}
        </span>{' '}
        {AT_NEXT_JOIN}{' '}
        <Link to="/fitur/live?tab=live" className="font-semibold text-accent-ink underline">
          Lihat siarannya
        </Link>
      </p>
    </div>
  )
}

/** Said once for all, not below each of them. */
const joinsWell = ({ items }: Playlist): boolean => items.length > 1 && items.every(({ fits }) => fits)

interface HeadProps {
  onRename: () => void
  onRemove: () => void
}

function Head({ onRename, onRemove }: HeadProps) {
  return (
    <div className="flex items-center justify-between gap-4">
      <BackLink />
      <div className="flex items-center gap-1">
        <Tooltip text="Ganti nama">
          <Button look="quiet" size="icon" aria-label="Ganti nama playlist" onClick={onRename}>
            <Pencil aria-hidden size={18} strokeWidth={1.75} />
          </Button>
        </Tooltip>
        <Tooltip text="Hapus">
          <Button look="quiet" size="icon" aria-label="Hapus playlist" onClick={onRemove}>
            <Trash2 aria-hidden size={18} strokeWidth={1.75} />
          </Button>
        </Tooltip>
      </div>
    </div>
  )
}

interface ToolsProps {
  playlist: Playlist
  onAdd: () => void
  onShuffle: (on: boolean) => void
}

function Tools({ playlist, onAdd, onShuffle }: ToolsProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3 sm:px-6">
      <Button look="secondary" size="small" onClick={onAdd}>
        <Plus aria-hidden size={18} strokeWidth={1.75} />
        Tambah video
      </Button>
      <Checkbox
        label="Acak tiap putaran"
        checked={playlist.shuffle}
        onChange={(event) => onShuffle(event.currentTarget.checked)}
      />
    </div>
  )
}

function Loaded({ known }: { known: Playlist }) {
  const navigate = useNavigate()
  const { playlist, edit } = usePlaylistEdits(known.id, known)
  const onAir = usePlaylistsOnAir().filter(({ id }) => id === known.id)
  const { askRemove } = useRemovePlaylist(() => void navigate('/fitur/playlist', { replace: true }))
  const [dialog, setDialog] = useState<'add' | 'name' | null>(null)
  const [said, setSaid] = useState('')
  const close = (): void => setDialog(null)
  const say = (text: string): void => setSaid(onAir.length > 0 ? `${text} ${AT_NEXT_JOIN}` : text)
  const change = (made: PlaylistEdit, text: string): void => {
    edit(made)
    say(text)
  }
  return (
    <Page
      title={<bdi>{playlist.name}</bdi>}
      lead={[...playlistFacts(playlist), ...(joinsWell(playlist) ? ['Tanpa jeda'] : [])].join(' · ')}
      action={
        playlist.count > 0 && (
          <Link to={goPath(playlist.id)} className={buttonStyle('primary')}>
            <Radio aria-hidden size={18} strokeWidth={1.75} />
            Siarkan
          </Link>
        )
      }
    >
      <Head onRename={() => setDialog('name')} onRemove={() => void askRemove(playlist)} />
      <Card className="mt-2 min-w-0 overflow-clip">
        <OnAirNote onAir={onAir} />
        <Tools
          playlist={playlist}
          onAdd={() => setDialog('add')}
          onShuffle={(on) =>
            change({ kind: 'shuffle', on }, on ? 'Urutan diacak tiap putaran.' : 'Diputar sesuai urutan.')
          }
        />
        <AlikeNotice playlist={playlist} />
        <p role="status" className={said ? 'px-4 pt-3 text-xs text-ink-soft sm:px-6' : 'sr-only'}>
          {said}
        </p>
        {playlist.count > 0 ? (
          <PlaylistItems playlist={playlist} onAir={onAir} onEdit={change} />
        ) : (
          <EmptyState
            icon={ListVideo}
            text="Playlist ini masih kosong. Tambahkan video dari perpustakaan Anda."
            action={
              <Button look="secondary" onClick={() => setDialog('add')}>
                Pilih video
              </Button>
            }
          />
        )}
      </Card>
      {dialog === 'add' && (
        <AddVideosDialog
          playlist={playlist}
          onAdded={(count) => {
            close()
            say(`${count} video ditambahkan.`)
          }}
          onClose={close}
        />
      )}
      {dialog === 'name' && <PlaylistNameDialog playlist={playlist} onSaved={close} onClose={close} />}
    </Page>
  )
}

/** One list: what is in it, in which order, and what happens where its items join. */
export function PlaylistView({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(playlistQuery(id))
  if (data) return <Loaded known={data} />
  const failure = error && !(error instanceof SessionEndedError) ? featureMessage(error, REQUEST_FAILED) : null
  return (
    <Page title="Playlist">
      <BackLink />
      <Card className="mt-2">
        {failure ? (
          <ErrorState text={failure} onRetry={() => void refetch()} />
        ) : (
          <Loading className="grid gap-3 p-6">
            {SKELETON_ROWS.map((row) => (
              <Skeleton key={row} className="h-14" />
            ))}
          </Loading>
        )}
      </Card>
    </Page>
  )
}
