import type { Dispatch } from 'react'
import { MessageBanner } from '../../../components/message-banner.tsx'
import { usePhone } from '../../../lib/use-media.ts'
import { PLAYBACK_TEXTS } from '../../player/playback-texts.ts'
import { Player } from '../../player/player.tsx'
import { useReportView } from '../api/report-view.ts'
import { LiveFrame } from '../live-frame.tsx'
import type { LiveEvent, LiveState } from '../state.ts'
import { useLiveWork } from '../use-live-work.ts'
import { usePlayerUrl } from '../use-player-url.ts'
import { ActivePanel, GoPanel, LocalPanel, OnlinePanel, UploadPanel } from './live-panels.tsx'

/** The Live screen at work; the blocking notice takes its place. */
export function LiveWorkspace({ state, dispatch }: { state: LiveState; dispatch: Dispatch<LiveEvent> }) {
  useReportView('viewed-live')
  const { tab, message } = state
  const work = useLiveWork(state, dispatch)
  const { picked, videos, online, active, say } = work
  const playerUrl = usePlayerUrl(picked, active.streams, online)

  // Over the form it would lie on what has to be corrected there, and it stays for long.
  const messageInForm = usePhone() && tab === 'go' && message?.aboutPlan === true
  const closeMessage = (): void => {
    if (message) dispatch({ type: 'message-expired', id: message.id })
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
      onTab={work.openTab}
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
        lokal: <LocalPanel work={work} />,
        bigo: <OnlinePanel work={work} />,
        live: <ActivePanel work={work} />,
        go: (
          <GoPanel
            work={work}
            message={messageInForm ? <MessageBanner message={message} place="in-place" onClose={closeMessage} /> : null}
          />
        ),
      }}
      upload={<UploadPanel work={work} onDragging={(dragging) => dispatch({ type: 'drag-changed', dragging })} />}
    />
  )
}
