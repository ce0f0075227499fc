import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { Video } from '@siarin/contracts/videos'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useReducer, useState } from 'react'
import { Page } from '../../../components/page.tsx'
import { askConfirmation } from '../../../lib/dialogs.ts'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { getSession } from '../../../lib/session.ts'
import { videosPoll } from '../../library/api/videos.ts'
import { DELETE_CONSEQUENCE, DELETE_FAILED, deleteQuestion } from '../../library/delete-texts.ts'
import { LocalTab } from '../../library/local-tab.tsx'
import { openFileChooser, UploadArea } from '../../library/upload-area.tsx'
import { VideoAddressesContext } from '../../library/video-addresses.ts'
import { LiveFrame } from '../../live/live-frame.tsx'
import { initialState, nextLiveState, type Tab } from '../../live/state.ts'
import { useMessage } from '../../live/use-message.ts'
import { PLAYBACK_TEXTS } from '../../player/playback-texts.ts'
import { Player } from '../../player/player.tsx'
import { deleteFromService, servicePictureUrl, servicePlayUrl, serviceVideosQuery } from '../api/service-videos.ts'
import { useServiceUpload } from '../use-service-upload.ts'
import { ApiKeyField } from './api-key-field.tsx'
import { SampleStreamsTab, SampleVideosTab } from './sample-tabs.tsx'
import { ServiceGoTab } from './service-go-tab.tsx'

const LOAD_FAILED = 'Gagal memuat streaming.'

/** The parts of the Live screen against a service that knows people by their API key alone. */
export function RecaptchaV3Screen() {
  const [state, dispatch] = useReducer(nextLiveState, initialState)
  const { tab, picked, message } = state
  const say = useMessage(message, dispatch)
  const [apiKey, setApiKey] = useState(() => getSession().user?.apiKey ?? '')

  const videos = useQuery({
    ...serviceVideosQuery(apiKey),
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => videosPoll(data),
  })
  const list = videos.data?.videos
  const ticket = videos.data?.ticket ?? ''
  const failure = videos.error ? featureMessage(videos.error, REQUEST_FAILED) : null
  useEffect(() => {
    if (failure !== null) say(failure, 'error')
  }, [failure, say])

  const upload = useServiceUpload(apiKey, say, videos.refetch)
  const remove = useMutation({
    mutationFn: ({ filename }: Video) => deleteFromService(apiKey, filename),
    onSuccess: async (text, { filename }) => {
      dispatch({ type: 'video-deleted', filename })
      await videos.refetch()
      say(text || VIDEO_TEXTS.deleted)
    },
    onError: (error) => say(featureMessage(error, DELETE_FAILED), 'error'),
  })
  const askToRemove = async (video: Video): Promise<void> => {
    if (await askConfirmation(deleteQuestion(video.filename), DELETE_CONSEQUENCE, 'Hapus')) remove.mutate(video)
  }

  const addresses = useMemo(
    () => ({
      play: (filename: string) => servicePlayUrl(filename, ticket),
      picture: (filename: string) => servicePictureUrl(filename, ticket),
    }),
    [ticket],
  )

  const openTab = (next: Tab): void => {
    dispatch({ type: 'tab-opened', tab: next })
    if (next === 'lokal') void videos.refetch()
  }
  const pickSample = (url: string, name: string): void =>
    dispatch({ type: 'picked', picked: { name, url, source: url, streamId: null } })

  return (
    <Page
      title="Recaptcha V3"
      lead="Kelola video lewat API key, tanpa perlu login."
      action={<ApiKeyField known={apiKey} onKey={setApiKey} />}
    >
      <VideoAddressesContext value={addresses}>
        <LiveFrame
          message={message}
          tab={tab}
          counts={{ lokal: list?.length }}
          onTab={openTab}
          player={
            <Player
              picked={picked}
              video={list?.find(({ filename }) => filename === picked?.source)}
              pickCount={state.pickCount}
              onTrouble={(trouble) => {
                if (trouble === 'autoplay-blocked') say(PLAYBACK_TEXTS[trouble].text, 'info')
                else {
                  say(trouble === 'failed' ? LOAD_FAILED : PLAYBACK_TEXTS[trouble].text, 'error')
                  dispatch({ type: 'player-cleared' })
                }
              }}
            />
          }
          panels={{
            lokal: (
              <LocalTab
                videos={list}
                failure={videos.isFetching ? null : failure}
                currentSource={picked?.source ?? null}
                onReload={() => void videos.refetch()}
                onUpload={openFileChooser}
                onPick={({ filename }) =>
                  dispatch({
                    type: 'picked',
                    picked: { name: filename, source: filename, streamId: null, url: addresses.play(filename) },
                  })
                }
                onDelete={(video) => void askToRemove(video)}
              />
            ),
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
