import { useReducer, useState } from 'react'
import { Page } from '../../../components/page.tsx'
import { getSession } from '../../../lib/session.ts'
import { UploadArea } from '../../library/upload-area.tsx'
import { VideoAddressesContext } from '../../library/video-addresses.ts'
import { LiveFrame } from '../../live/live-frame.tsx'
import { initialState, nextLiveState, type Tab } from '../../live/state.ts'
import { useMessage } from '../../live/use-message.ts'
import { useServiceUpload } from '../use-service-upload.ts'
import { useServiceVideos } from '../use-service-videos.ts'
import { ApiKeyField } from './api-key-field.tsx'
import { SampleStreamsTab, SampleVideosTab } from './sample-tabs.tsx'
import { ServiceGoTab } from './service-go-tab.tsx'
import { ServiceLocalPanel, ServicePlayer } from './service-panels.tsx'

/** The parts of the Live screen against a service that knows people by their API key alone. */
export function RecaptchaV3Screen() {
  const [state, dispatch] = useReducer(nextLiveState, initialState)
  const { tab, picked, message } = state
  const say = useMessage(message, dispatch)
  const [apiKey, setApiKey] = useState(() => getSession().user?.apiKey ?? '')
  const onDeleted = (filename: string): void => dispatch({ type: 'video-deleted', filename })
  const videos = useServiceVideos({ apiKey, say, onDeleted })
  const upload = useServiceUpload(apiKey, say, videos.reload)

  const openTab = (next: Tab): void => {
    dispatch({ type: 'tab-opened', tab: next })
    if (next === 'lokal') void videos.reload()
  }
  const pickSample = (url: string, name: string): void =>
    dispatch({ type: 'picked', picked: { name, url, source: url, streamId: null } })

  return (
    <Page
      title="Recaptcha V3"
      lead="Kelola video lewat API key, tanpa perlu login."
      action={<ApiKeyField known={apiKey} onKey={setApiKey} />}
    >
      <VideoAddressesContext value={videos.addresses}>
        <LiveFrame
          message={message}
          tab={tab}
          counts={{ lokal: videos.list?.length }}
          onTab={openTab}
          player={<ServicePlayer state={state} dispatch={dispatch} videos={videos} say={say} />}
          panels={{
            lokal: <ServiceLocalPanel state={state} dispatch={dispatch} videos={videos} />,
            bigo: <SampleVideosTab currentName={picked?.name ?? null} onPick={pickSample} />,
            live: <SampleStreamsTab currentName={picked?.name ?? null} onPick={pickSample} />,
            go: (
              <ServiceGoTab
                picked={picked}
                form={state.form}
                onChange={(change) => dispatch({ type: 'form-changed', change })}
              />
            ),
          }}
          upload={
            <UploadArea
              upload={upload.state}
              dragging={state.dragging}
              hint="Satu file setiap kali, langsung ke layanan."
              onDragging={(dragging) => dispatch({ type: 'drag-changed', dragging })}
              onFile={upload.choose}
              onCancel={upload.cancel}
            />
          }
        />
      </VideoAddressesContext>
    </Page>
  )
}
