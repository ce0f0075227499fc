import type { PlaylistHead } from '@siarin/contracts/playlists'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { askConfirmation } from '../../lib/dialogs.ts'
import { featureMessage, REQUEST_FAILED } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import { notifySuccess, notifyWarning } from '../../lib/notify.ts'
import { playlistsQuery } from '../library/api/playlist-heads.ts'
import { playlistQuery, removePlaylist } from './api/playlists.ts'

/** Asks first; the videos stay. */
export function useRemovePlaylist(onRemoved: () => void = () => {}) {
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: removePlaylist,
    onSuccess: async (message, id) => {
      onRemoved()
      queryClient.removeQueries({ queryKey: playlistQuery(id).queryKey })
      await queryClient.invalidateQueries({ queryKey: playlistsQuery().queryKey })
      notifySuccess(message)
    },
    onError: (error) => {
      if (!(error instanceof SessionEndedError)) notifyWarning(featureMessage(error, REQUEST_FAILED))
    },
  })
  return {
    removingId: remove.isPending ? remove.variables : null,
    async askRemove({ id, name }: Pick<PlaylistHead, 'id' | 'name'>): Promise<void> {
      const consequence = `"${name}" dihapus. Video di dalamnya tetap ada di perpustakaan Anda.`
      if (await askConfirmation('Hapus playlist ini?', consequence, 'Hapus')) remove.mutate(id)
    },
  }
}
