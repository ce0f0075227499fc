import type { Dispatch } from 'react'
import type { Say } from '../../../lib/message.ts'
import { LocalTab } from '../../library/local-tab.tsx'
import { openFileChooser } from '../../library/upload-area.tsx'
import type { LiveEvent, LiveState } from '../../live/state.ts'
import { PLAYBACK_TEXTS } from '../../player/playback-texts.ts'
import { Player } from '../../player/player.tsx'
import type { ServiceVideos } from '../use-service-videos.ts'

const LOAD_FAILED = 'Gagal memuat streaming.'

interface ServicePanelProps {
  state: LiveState
  dispatch: Dispatch<LiveEvent>
  videos: ServiceVideos
}

export function ServicePlayer({ state, dispatch, videos, say }: ServicePanelProps & { say: Say }) {
  const { picked, pickCount } = state
  return (
    <Player
      picked={picked}
      video={videos.list?.find(({ filename }) => filename === picked?.source)}
      pickCount={pickCount}
      onTrouble={(trouble) => {
        if (trouble === 'autoplay-blocked') say(PLAYBACK_TEXTS[trouble].text, 'info')
        else {
          say(trouble === 'failed' ? LOAD_FAILED : PLAYBACK_TEXTS[trouble].text, 'error')
          dispatch({ type: 'player-cleared' })
        }
      }}
    />
  )
}

export function ServiceLocalPanel({ state, dispatch, videos }: ServicePanelProps) {
  return (
    <LocalTab
      videos={videos.list}
      failure={videos.failure}
      currentSource={state.picked?.source ?? null}
      onReload={() => void videos.reload()}
      onUpload={openFileChooser}
      onPick={({ filename }) =>
        dispatch({
          type: 'picked',
          picked: { name: filename, source: filename, streamId: null, url: videos.addresses.play(filename) },
        })
      }
      onDelete={(video) => void videos.askToRemove(video)}
    />
  )
}
