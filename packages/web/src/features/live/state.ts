import type { Platform } from '@siarin/contracts/platforms'
import type { Message } from '../../lib/message.ts'

export const TABS = ['lokal', 'bigo', 'live', 'go'] as const
export type Tab = (typeof TABS)[number]

/** The chosen video: what the player shows and what a broadcast would send. */
export interface Picked {
  readonly name: string
  /** Where the player fetches it; null: not known, or nowhere at the moment. */
  readonly url: string | null
  /** How the server names it: a file's name, or an address. */
  readonly source: string
  /** Set when an active stream was picked to be watched. */
  readonly streamId: string | null
  /** Set when it comes from elsewhere: a room of this Bigo account, or an address (null). */
  readonly online?: { readonly accountId: string | null }
}

export interface GoForm {
  readonly title: string
  readonly platform: Platform
  readonly key: string
  /** The ended stream whose key the server uses again while none is typed; empty: none. */
  readonly keyOf: string
  readonly accountId: string
  /** The video that stands in while an online source is away; empty: none. */
  readonly fallback: string
}

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
  | { type: 'form-changed'; change: Partial<GoForm> }
  | { type: 'retry-asked'; picked: Picked; form: Pick<GoForm, 'keyOf' | 'platform' | 'title' | 'fallback'> }

export const initialState: LiveState = {
  tab: 'lokal',
  picked: null,
  pickCount: 0,
  message: null,
  messageCount: 0,
  dragging: false,
  form: { title: '', platform: 'youtube', key: '', keyOf: '', accountId: '', fallback: '' },
}

/** `tab`: as a link names it; a name that is none opens the first. */
export const stateAtTab = (tab: string | null): LiveState => ({
  ...initialState,
  tab: TABS.find((known) => known === tab) ?? initialState.tab,
})

function changeForm(form: GoForm, change: Partial<GoForm>): GoForm {
  const next = { ...form, ...change }
  if (next.platform === form.platform) return next
  // A key belongs to the platform it was copied from; TikTok has none of its own.
  return { ...next, keyOf: '', ...(next.platform === 'tiktok' && { key: '' }) }
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
    case 'message-expired':
      return state.message?.id === event.id ? { ...state, message: null } : state
    case 'form-changed':
      return { ...state, form: changeForm(state.form, event.change) }
    case 'retry-asked': {
      // Keys are never shown again, and the one in the form may be of another broadcast.
      const form = { ...state.form, ...event.form, key: '' }
      return { ...state, tab: 'go', picked: event.picked, pickCount: state.pickCount + 1, form }
    }
  }
}
