import { NewPlaylistBody, PLAYLIST_NAME_MAX, type Playlist, type PlaylistHead } from '@siarin/contracts/playlists'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Field, Input } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { playlistsQuery } from '../../library/api/playlist-heads.ts'
import { createPlaylist, playlistQuery, renamePlaylist } from '../api/playlists.ts'

interface PlaylistNameDialogProps {
  /** Null: a new one. */
  playlist: Pick<PlaylistHead, 'id' | 'name'> | null
  onSaved: (playlist: Playlist) => void
  onClose: () => void
}

const Name = NewPlaylistBody.shape.name

/** Asks for the name of a new list, or for another name. */
export function PlaylistNameDialog({ playlist, onSaved, onClose }: PlaylistNameDialogProps) {
  const queryClient = useQueryClient()
  const [name, setName] = useState(playlist?.name ?? '')
  const [fault, setFault] = useState<string | null>(null)
  const save = useMutation({
    // A name replaces a name: whatever else was changed meanwhile is not touched.
    mutationFn: (typed: string) => (playlist ? renamePlaylist(playlist.id, typed) : createPlaylist(typed)),
    onSuccess: async (saved) => {
      queryClient.setQueryData(playlistQuery(saved.id).queryKey, saved)
      await queryClient.invalidateQueries({ queryKey: playlistsQuery().queryKey })
      onSaved(saved)
    },
  })
  const refusal = save.error instanceof SessionEndedError ? null : save.error
  return (
    <FormDialog
      title={playlist ? 'Ganti nama playlist' : 'Buat playlist'}
      description="Nama untuk Anda sendiri. Penonton tidak melihatnya."
      submit={{
        label: playlist ? 'Simpan' : 'Buat playlist',
        busyLabel: playlist ? 'Menyimpan...' : 'Membuat...',
        disabled: false,
      }}
      busy={save.isPending}
      failure={refusal && featureMessage(refusal, REQUEST_FAILED)}
      onSubmit={(event) => {
        event.preventDefault()
        const read = Name.safeParse(name)
        setFault(read.success ? null : (read.error.issues[0]?.message ?? null))
        if (read.success) save.mutate(read.data)
      }}
      onClose={onClose}
    >
      <Field id="playlist-name" label="Nama" fault={fault}>
        <Input
          type="text"
          dir="auto"
          value={name}
          maxLength={PLAYLIST_NAME_MAX}
          autoComplete="off"
          onChange={(event) => {
            setName(event.currentTarget.value)
            setFault(null)
          }}
        />
      </Field>
    </FormDialog>
  )
}
