import { PLAYLISTS_MAX, type PlaylistHead } from '@siarin/contracts/playlists'
import { useQuery } from '@tanstack/react-query'
import { ListVideo, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { FactLine } from '../../../components/fact-line.tsx'
import { Page } from '../../../components/page.tsx'
import { QueryRows } from '../../../components/query-rows.tsx'
import { Tooltip } from '../../../components/tooltip.tsx'
import { playlistsQuery } from '../../library/api/playlist-heads.ts'
import { playlistFacts, playlistPath } from '../playlist-words.ts'
import { usePlaylistsOnAir } from '../use-playlists-on-air.ts'
import { useRemovePlaylist } from '../use-remove-playlist.ts'
import { PlaylistNameDialog } from './playlist-name-dialog.tsx'

interface RowProps {
  playlist: PlaylistHead
  onAir: boolean
  busy: boolean
  onRename: () => void
  onRemove: () => void
}

function Row({ playlist, onAir, busy, onRename, onRemove }: RowProps) {
  const { id, name } = playlist
  return (
    <li className="relative flex items-center gap-3 py-3 pr-2 pl-4 hover:bg-raised sm:gap-4 sm:pr-4 sm:pl-6">
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-raised text-ink-soft">
        <ListVideo aria-hidden size={20} strokeWidth={1.75} />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="min-w-0 text-sm font-semibold">
            {/* The whole row leads there; what can be pressed by itself lies above. */}
            <Link dir="auto" to={playlistPath(id)} className="block truncate after:absolute after:inset-0">
              {name}
            </Link>
          </h2>
          {onAir && <Badge tone="on-air">Tayang</Badge>}
        </div>
        <FactLine facts={playlistFacts(playlist)} />
      </div>
      <div className="z-1 flex items-center gap-1">
        <Tooltip text="Ganti nama">
          <Button look="quiet" size="icon" aria-label={`Ganti nama ${name}`} onClick={onRename}>
            <Pencil aria-hidden size={18} strokeWidth={1.75} />
          </Button>
        </Tooltip>
        <Tooltip text="Hapus">
          <Button look="quiet" size="icon" aria-label={`Hapus ${name}`} disabled={busy} onClick={onRemove}>
            <Trash2 aria-hidden size={18} strokeWidth={1.75} />
          </Button>
        </Tooltip>
      </div>
    </li>
  )
}

const NoPlaylists = ({ onCreate }: { onCreate: () => void }) => (
  <EmptyState
    icon={ListVideo}
    text="Belum ada playlist. Susun beberapa video, lalu siarkan satu per satu tanpa putus."
    action={
      <Button look="secondary" onClick={onCreate}>
        Buat playlist pertama
      </Button>
    }
  />
)

function Rows({ onCreate, onRename }: { onCreate: () => void; onRename: (playlist: PlaylistHead) => void }) {
  const { askRemove, removingId } = useRemovePlaylist()
  const onAir = usePlaylistsOnAir()
  return (
    <QueryRows query={useQuery(playlistsQuery())} rowHeight="h-12" empty={<NoPlaylists onCreate={onCreate} />}>
      {(playlists) => (
        <ul aria-label="Playlist" className="divide-y divide-line">
          {playlists.map((playlist) => (
            <Row
              key={playlist.id}
              playlist={playlist}
              onAir={onAir.some(({ id }) => id === playlist.id)}
              busy={removingId === playlist.id}
              onRename={() => onRename(playlist)}
              onRemove={() => void askRemove(playlist)}
            />
          ))}
        </ul>
      )}
    </QueryRows>
  )
}

/** Nothing, a new one, or the one that gets another name. */
type Named = { readonly playlist: PlaylistHead | null } | null

export function PlaylistList() {
  const navigate = useNavigate()
  const [named, setNamed] = useState<Named>(null)
  const { data } = useQuery(playlistsQuery())
  const isFull = (data?.length ?? 0) >= PLAYLISTS_MAX
  const create = (): void => setNamed({ playlist: null })
  return (
    <Page
      title="Playlist"
      lead="Beberapa video dalam satu siaran, berurutan atau diacak, tanpa jeda di antaranya."
      action={
        <Button disabled={isFull} onClick={create}>
          <Plus aria-hidden size={18} strokeWidth={1.75} />
          Buat playlist
        </Button>
      }
    >
      <Card className="min-w-0 overflow-clip">
        <Rows onCreate={create} onRename={(playlist) => setNamed({ playlist })} />
      </Card>
      {named && (
        <PlaylistNameDialog
          playlist={named.playlist}
          onSaved={({ id }) => {
            setNamed(null)
            if (!named.playlist) void navigate(playlistPath(id))
          }}
          onClose={() => setNamed(null)}
        />
      )}
    </Page>
  )
}
