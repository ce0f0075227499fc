import type { ErrorCode } from '@siarin/contracts/error-codes'
import type { Playlist } from '@siarin/contracts/playlists'
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { FeatureError, featureMessage, REQUEST_FAILED } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import { notifyWarning } from '../../lib/notify.ts'
import { playlistsQuery } from '../library/api/playlist-heads.ts'
import { addItems, makeAlike, playlistQuery, sendEdit } from './api/playlists.ts'
import { applyEdit, type PlaylistEdit } from './playlist-edits.ts'

const CHANGED: ErrorCode = 'playlist_changed'
const CHANGED_ELSEWHERE = 'Playlist ini baru saja diubah di tempat lain.'
const DO_IT_AGAIN = 'Isi terbarunya sudah dimuat. Ulangi perubahan Anda.'

const editsKey = (id: string) => ['playlist-edit', id] as const
/** Changes of a list are sent one after the other: each names the version that the one before has made. */
const scopeOf = (id: string) => ({ id: `playlist ${id}` })

function useTakeAnswer(id: string) {
  const queryClient = useQueryClient()
  return async (playlist: Playlist): Promise<void> => {
    const { queryKey } = playlistQuery(id)
    // What was asked for before the change would bring the list of before back.
    await queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, playlist)
    void queryClient.invalidateQueries({ queryKey: playlistsQuery().queryKey })
  }
}

/** Adds videos at the end, where they are in nobody's way: that needs no version. */
export function useAddVideos(id: string) {
  const take = useTakeAnswer(id)
  return useMutation({
    scope: scopeOf(id),
    mutationFn: (videos: string[]) => addItems(id, { videos }),
    onSuccess: take,
  })
}

/** Has the videos of a list made alike. */
export function useMakeAlike(id: string) {
  const take = useTakeAnswer(id)
  const { mutate, isPending } = useMutation({
    scope: scopeOf(id),
    mutationFn: () => makeAlike(id),
    onSuccess: ({ playlist }) => take(playlist),
    onError: (error) => {
      if (!(error instanceof SessionEndedError)) notifyWarning(featureMessage(error, REQUEST_FAILED))
    },
  })
  return { makeAlike: () => mutate(), busy: isPending }
}

/** The list as it will be once everything that is on its way has arrived, and the way to change it. */
export function usePlaylistEdits(id: string, known: Playlist) {
  const queryClient = useQueryClient()
  const { queryKey } = playlistQuery(id)
  const take = useTakeAnswer(id)
  const { mutate } = useMutation({
    mutationKey: editsKey(id),
    scope: scopeOf(id),
    mutationFn: (edit: PlaylistEdit) => sendEdit(id, edit, queryClient.getQueryData(queryKey)?.version),
    onSuccess: take,
    onError: async (error) => {
      if (error instanceof SessionEndedError) return
      // Awaited: what is next in line is sent with the version that this brings.
      await queryClient.invalidateQueries({ queryKey })
      if (error instanceof FeatureError && error.code === CHANGED) notifyWarning(CHANGED_ELSEWHERE, DO_IT_AGAIN)
      else notifyWarning(featureMessage(error, REQUEST_FAILED))
    },
  })
  const pending = useMutationState({
    filters: { mutationKey: editsKey(id), status: 'pending' },
    select: ({ state }) => state.variables as PlaylistEdit,
  })
  return { playlist: pending.reduce(applyEdit, known), edit: (change: PlaylistEdit): void => mutate(change) }
}
