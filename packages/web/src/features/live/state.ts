import { playlistSource } from '@siarin/contracts/playlists'
import type { Message } from '../../lib/message.ts'
import type { Picked } from '../../lib/picked.ts'
import { changeForm, EMPTY_FORM, type GoForm } from '../broadcasts/go-form.ts'
import { newScheduleForm } from '../schedules/schedule-form.ts'

export const TABS = ['lokal', 'bigo', 'live', 'go'] as const
export type Tab = (typeof TABS)[number]

export interface LiveState {
  readonly tab: Tab
  readonly picked: Picked | null
  /** Rises with every pick, so that picking the same video again starts it again. */
  readonly pickCount: number
  readonly message: (Message & { readonly id: number }) | null
  readonly messageCount: number
  /** A file is being dragged over the upload area. */
  readonly dragging: boolean
  readonly form: GoForm
}

export type LiveEvent =
  | { type: 'tab-opened'; tab: Tab }
  | { type: 'picked'; picked: Picked }
  | { type: 'video-deleted'; filename: string }
  | { type: 'stream-stopped'; streamId: string }
  | { type: 'player-cleared' }
  | { type: 'drag-changed'; dragging: boolean }
  | ({ type: 'said' } & Message)
  | { type: 'message-expired'; id: number }
  | { type: 'schedule-saved'; text: string }
  | { type: 'form-changed'; change: Partial<GoForm> }
  | { type: 'retry-asked'; picked: Picked; form: Pick<GoForm, 'keyOf' | 'platform' | 'title' | 'fallback'> }

export const initialState: LiveState = {
  tab: 'lokal',
  picked: null,
  pickCount: 0,
  message: null,
  messageCount: 0,
  dragging: false,
  form: EMPTY_FORM,
}

/** Its name comes with the list itself. */
export const pickedPlaylist = (id: string, itemId: string | null, name = 'Playlist'): Picked => ({
  name,
  url: null,
  source: playlistSource(id),
  streamId: null,
  playlist: { id, itemId },
})

/**
 * As a link names it: the tab (a name that is none opens the first), for Go the playlist and the item to begin with, and `jadwal` for
 * somebody who came to plan a broadcast.
 */
export function stateAt(search: Pick<URLSearchParams, 'get'>): LiveState {
  const tab = TABS.find((known) => known === search.get('tab')) ?? initialState.tab
  const playlist = search.get('playlist')
  return {
    ...initialState,
    tab,
    form: search.get('jadwal') === null ? EMPTY_FORM : { ...EMPTY_FORM, schedule: newScheduleForm(Date.now()) },
    picked: tab === 'go' && playlist ? pickedPlaylist(playlist, search.get('item')) : null,
  }
}

export function nextLiveState(state: LiveState, event: LiveEvent): LiveState {
  switch (event.type) {
    case 'tab-opened':
      return { ...state, tab: event.tab, picked: event.tab === 'go' ? state.picked : null }
    case 'picked':
      return { ...state, picked: event.picked, pickCount: state.pickCount + 1 }
    case 'video-deleted':
      return state.picked?.source === event.filename ? { ...state, picked: null } : state
    case 'stream-stopped':
      return state.picked?.streamId === event.streamId ? { ...state, picked: null } : state
    case 'player-cleared':
      return { ...state, picked: null }
    case 'drag-changed':
      return { ...state, dragging: event.dragging }
    case 'said': {
      const { type: _said, ...message } = event
      const id = state.messageCount + 1
      return { ...state, messageCount: id, message: { id, ...message } }
    }
    case 'schedule-saved': {
      // The button that saved it becomes Go Live: with nothing picked, pressing it once more does nothing.
      const id = state.messageCount + 1
      const message = { id, text: event.text, tone: 'success', aboutSchedule: true } as const
      return { ...state, picked: null, form: { ...state.form, schedule: null }, messageCount: id, message }
    }
    case 'message-expired':
      return state.message?.id === event.id ? { ...state, message: null } : state
    case 'form-changed':
      return { ...state, form: changeForm(state.form, event.change) }
    case 'retry-asked': {
      // Keys are never shown again, and what the form has may be of another broadcast.
      const form = {
        ...state.form,
        ...event.form,
        key: '',
        preset: '',
        server: '',
        ticked: [],
        schedule: null,
        rendition: '',
        logo: '' as const,
      }
      return { ...state, tab: 'go', picked: event.picked, pickCount: state.pickCount + 1, form }
    }
  }
}
