import { playlistIdOf } from '@siarin/contracts/playlists'
import type { EndedStream } from '@siarin/contracts/streams'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { Dispatch } from 'react'
import { isOnline } from '../../lib/online-address.ts'
import type { Picked } from '../../lib/picked.ts'
import type { StreamRowData } from '../broadcasts/api/active-streams.ts'
import type { GoForm } from '../broadcasts/go-form.ts'
import { sourceWords } from '../broadcasts/stream-words.ts'
import { useActiveList } from '../broadcasts/use-active-list.ts'
import { useStreamActions } from '../broadcasts/use-stream-actions.ts'
import { useTikTokAccounts } from '../broadcasts/use-tiktok-accounts.ts'
import { playUrl } from '../library/api/videos.ts'
import { useUpload } from '../library/use-upload.ts'
import { useVideoActions } from '../library/use-video-actions.ts'
import { useVideoList } from '../library/use-video-list.ts'
import { useOnlineLists } from '../sources/use-online-lists.ts'
import { useStanding } from '../standing/api/standing.ts'
import { type LiveEvent, type LiveState, pickedPlaylist, type Tab } from './state.ts'
import { useMessage } from './use-message.ts'
import { useNamedPick } from './use-named-pick.ts'

/** What was broadcast before, as something to pick again. */
function pickedAgain(stream: EndedStream): Picked {
  const { source, accountId } = stream
  const playlistId = playlistIdOf(source)
  if (playlistId !== null) return pickedPlaylist(playlistId, null, sourceWords(stream))
  const chosen = { name: sourceWords(stream), source, streamId: null }
  return accountId !== null || isOnline(source)
    ? { ...chosen, url: null, online: { accountId } }
    : { ...chosen, url: playUrl(source) }
}

/** The lists and actions of library, sources and broadcasts, and how what happens in one shows in the others. */
export function useLiveWork(state: LiveState, dispatch: Dispatch<LiveEvent>) {
  const { tab, form } = state
  const picked = useNamedPick(state.picked)
  const say = useMessage(state.message, dispatch)
  const videos = useVideoList(say)
  const active = useActiveList(tab === 'live', say)
  const online = useOnlineLists(tab === 'bigo', say)
  const accounts = useTikTokAccounts(say)
  const forgetSource = (filename: string): void => dispatch({ type: 'video-deleted', filename })
  const videoActions = useVideoActions(forgetSource, say)
  const onStopped = (streamId: string): void => dispatch({ type: 'stream-stopped', streamId })
  const onScheduled = (text: string): void => dispatch({ type: 'schedule-saved', text })
  const streamActions = useStreamActions({ picked, form, onStopped, onScheduled, say })
  const upload = useUpload(say)
  const standing = useStanding()

  const pick = (chosen: Picked): void => {
    if (chosen.source) dispatch({ type: 'picked', picked: chosen })
    else say(VIDEO_TEXTS.invalid, 'error')
  }

  const watch = (stream: StreamRowData): void => {
    const { source = '', title, streamId = null, accountId = null } = stream
    const name = title || sourceWords(stream)
    if (stream.online) pick({ name, source, streamId, url: null, online: { accountId } })
    else pick({ name, source, streamId, url: playUrl(stream.playlist?.filename ?? source) })
  }

  const changeForm = (change: Partial<GoForm>): void => {
    dispatch({ type: 'form-changed', change })
    if (change.platform === 'tiktok') accounts.reload()
  }

  const retryEnded = (stream: EndedStream): void => {
    const { platform, title, fallback, streamId } = stream
    // TikTok gives another one for each broadcast.
    const keyOf = platform === 'tiktok' ? '' : streamId
    const again = pickedAgain(stream)
    dispatch({
      type: 'retry-asked',
      picked: again,
      form: { platform, title: title ?? '', fallback: fallback ?? '', keyOf },
    })
    if (again.online) online.load()
    if (platform === 'tiktok') accounts.reload()
    // Nothing is missing, or the account is.
    requestAnimationFrame(() => document.getElementById(keyOf ? 'go-live' : 'tiktok-account')?.focus())
  }

  const openTab = (next: Tab): void => {
    dispatch({ type: 'tab-opened', tab: next })
    if (next === 'lokal') videos.reload()
    if (next === 'bigo') online.reload()
    if (next === 'live') active.open()
  }

  const lists = { videos, active, online, accounts }
  const handlers = { pick, watch, changeForm, retryEnded, openTab, forgetSource, onStopped }
  return { state, picked, say, ...lists, videoActions, streamActions, upload, standing, ...handlers }
}

export type LiveWork = ReturnType<typeof useLiveWork>
