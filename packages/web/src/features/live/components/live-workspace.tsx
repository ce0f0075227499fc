import type { EndedStream } from '@siarin/contracts/streams'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { Dispatch } from 'react'
import { MessageBanner } from '../../../components/message-banner.tsx'
import { usePhone } from '../../../lib/use-media.ts'
import { useReportView } from '../../fitur/api/activity.ts'
import { useStanding } from '../../plan/api/standing.ts'
import type { StreamRowData } from '../api/active-streams.ts'
import { playUrl } from '../api/videos.ts'
import { hostOf, isOnline } from '../online-address.ts'
import { PLAYBACK_TEXTS } from '../playback-texts.ts'
import type { GoForm, LiveEvent, LiveState, Picked, Tab } from '../state.ts'
import { sourceWords } from '../stream-words.ts'
import { useUploadState } from '../upload/uploader.ts'
import { useLiveActions } from '../use-live-actions.ts'
import { useLiveLists } from '../use-live-lists.ts'
import { useMessage } from '../use-message.ts'
import { usePlayerUrl } from '../use-player-url.ts'
import { useUpload } from '../use-upload.ts'
import { BigoTab } from './bigo-tab.tsx'
import { GoTab } from './go-tab.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { LiveFrame } from './live-frame.tsx'
import { LiveTab } from './live-tab.tsx'
import { LocalTab } from './local-tab.tsx'
import { Player } from './player.tsx'
import { StorageMeter } from './storage-meter.tsx'
import { UnfinishedNotes } from './unfinished-notes.tsx'
import { openFileChooser, UploadArea } from './upload-area.tsx'

const UPLOAD_HINT = 'Satu file setiap kali. Kalau koneksi putus, upload dilanjutkan sendiri.'

/** The Live screen at work; the blocking notice takes its place. */
export function LiveWorkspace({ state, dispatch }: { state: LiveState; dispatch: Dispatch<LiveEvent> }) {
  useReportView('viewed-live')
  const { tab, picked, message } = state
  const say = useMessage(message, dispatch)
  const { videos, online, active, accounts } = useLiveLists(tab, say)
  const actions = useLiveActions(state, dispatch, say)
  const upload = useUpload(say)
  const uploadState = useUploadState()
  const standing = useStanding()

  // Over the form it would lie on what has to be corrected there, and it stays for long.
  const messageInForm = usePhone() && tab === 'go' && message?.aboutPlan === true
  const closeMessage = (): void => {
    if (message) dispatch({ type: 'message-expired', id: message.id })
  }

  const playerUrl = usePlayerUrl(picked, active.streams, online)

  const pick = (chosen: Picked): void => {
    if (chosen.source) dispatch({ type: 'picked', picked: chosen })
    else say(VIDEO_TEXTS.invalid, 'error')
  }

  const watch = (stream: StreamRowData): void => {
    const { source = '', title, streamId = null, accountId = null } = stream
    const name = title || sourceWords(stream)
    if (stream.online) pick({ name, source, streamId, url: null, online: { accountId } })
    else pick({ name, source, streamId, url: playUrl(source) })
  }

  const changeForm = (change: Partial<GoForm>): void => {
    dispatch({ type: 'form-changed', change })
    if (change.platform === 'tiktok') accounts.reload()
  }

  const retryEnded = (stream: EndedStream): void => {
    const { source, accountId, platform, title, fallback, streamId } = stream
    // TikTok gives another one for each broadcast.
    const keyOf = platform === 'tiktok' ? '' : streamId
    const fromElsewhere = accountId !== null || isOnline(source)
    const chosen: Picked = {
      name: sourceWords(stream),
      source,
      streamId: null,
      url: fromElsewhere ? null : playUrl(source),
    }
    dispatch({
      type: 'retry-asked',
      picked: { ...chosen, ...(fromElsewhere && { online: { accountId } }) },
      form: { platform, title: title ?? '', fallback: fallback ?? '', keyOf },
    })
    if (fromElsewhere) online.load()
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

  return (
    <LiveFrame
      message={message}
      messageInPanel={messageInForm}
      onMessageClosed={closeMessage}
      tab={tab}
      counts={{
        lokal: videos.videos?.length,
        bigo: online.live && online.live.length + (online.sources?.length ?? 0),
        live: active.streams?.length,
      }}
      onTab={openTab}
      player={
        <Player
          picked={picked}
          url={playerUrl}
          video={picked ? videos.videos?.find(({ filename }) => filename === picked.source) : undefined}
          pickCount={state.pickCount}
          onTrouble={(trouble) => say(PLAYBACK_TEXTS[trouble].text, PLAYBACK_TEXTS[trouble].tone)}
        />
      }
      panels={{
        lokal: (
          <LocalTab
            videos={videos.videos}
            failure={videos.failure}
            currentSource={picked?.source ?? null}
            onReload={videos.reload}
            onUpload={openFileChooser}
            onPick={({ filename }) =>
              pick({ name: filename, source: filename, streamId: null, url: playUrl(filename) })
            }
            onDelete={(video) => void actions.remove(video)}
            onRetry={actions.retry}
            retryingName={actions.retryingName}
            standing={standing}
          />
        ),
        bigo: (
          <BigoTab
            lists={online}
            picked={picked}
            onReload={online.reload}
            onPickRoom={({ video: { url, title, accountId }, previewUrl }) =>
              pick({ name: title || hostOf(url), source: url, streamId: null, url: previewUrl, online: { accountId } })
            }
            onPickSource={({ url, name, previewUrl }) =>
              pick({ name, source: url, streamId: null, url: previewUrl, online: { accountId: null } })
            }
            onRemoved={({ url }) => dispatch({ type: 'video-deleted', filename: url })}
            say={say}
          />
        ),
        live: (
          <LiveTab
            streams={active.streams}
            bitrates={active.bitrates}
            failure={active.failure}
            currentStreamId={picked?.streamId ?? null}
            stoppingId={actions.stoppingId}
            onReload={active.reload}
            onChoose={() => openTab('lokal')}
            onPlay={watch}
            onStop={(stream) => void actions.stop(stream)}
            onRetry={retryEnded}
            say={say}
          />
        ),
        go: (
          <GoTab
            picked={picked}
            form={state.form}
            accounts={accounts}
            videos={videos.videos}
            busy={actions.starting}
            message={
              messageInForm ? (
                <MessageBanner message={message} place="in-place" onClose={closeMessage} />
              ) : (
                actions.refusal && <p className="text-sm font-medium text-warn-ink">Belum tayang. {actions.refusal}</p>
              )
            }
            onChange={changeForm}
            onGo={() => actions.start(accounts.list ?? [])}
          />
        ),
      }}
      upload={
        <>
          <UploadArea
            upload={uploadState}
            dragging={state.dragging}
            hint={UPLOAD_HINT}
            onDragging={(dragging) => dispatch({ type: 'drag-changed', dragging })}
            onFile={upload.choose}
            onCancel={(name) => void upload.cancel(name)}
          />
          <UnfinishedNotes />
          <div className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            {videos.storage && <StorageMeter storage={videos.storage} />}
            <ImportDialog say={say} />
          </div>
        </>
      }
    />
  )
}
