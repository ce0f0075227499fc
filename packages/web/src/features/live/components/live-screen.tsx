import { GLOBAL_MESSAGE_MS } from '@siarin/contracts/limits'
import type { EndedStream } from '@siarin/contracts/streams'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { useQuery } from '@tanstack/react-query'
import { Tabs } from 'radix-ui'
import { useCallback, useEffect, useReducer } from 'react'
import { Card } from '../../../components/card.tsx'
import { featureMessage } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { useReportView } from '../../fitur/api/activity.ts'
import { activeStreamsQuery, type StreamRowData } from '../api/active-streams.ts'
import { playUrl, videosPoll, videosQuery } from '../api/videos.ts'
import { initialState, nextLiveState, type Picked, type Say, TABS, type Tab } from '../state.ts'
import { useLiveActions } from '../use-live-actions.ts'
import { useStreamsFeed } from '../use-streams-feed.ts'
import { useUpload } from '../use-upload.ts'
import { BigoTab } from './bigo-tab.tsx'
import { GoTab } from './go-tab.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { LiveTab } from './live-tab.tsx'
import { LocalTab } from './local-tab.tsx'
import { MessageBanner } from './message-banner.tsx'
import { Player } from './player.tsx'
import { StorageMeter } from './storage-meter.tsx'
import { UploadArea } from './upload-area.tsx'

const ACTIVE_POLL_MS = 2000
const ACTIVE_FAILED = 'Gagal mengambil data live stream.'
const TAB_LABELS: Record<Tab, string> = { lokal: 'Lokal', bigo: 'Bigo', live: 'Live', go: 'Go' }

const failureOf = (error: Error | null): string | null =>
  error && !(error instanceof SessionEndedError) ? featureMessage(error, ACTIVE_FAILED) : null

export function LiveScreen() {
  useReportView('viewed-live')
  const [state, dispatch] = useReducer(nextLiveState, initialState)
  const { tab, picked, message } = state

  const say: Say = useCallback((text, error = false) => dispatch({ type: 'said', text, error }), [])
  useEffect(() => {
    if (!message) return
    const timer = setTimeout(() => dispatch({ type: 'message-expired', id: message.id }), GLOBAL_MESSAGE_MS)
    return () => clearTimeout(timer)
  }, [message])

  const fed = useStreamsFeed()
  const active = useQuery({
    ...activeStreamsQuery(),
    refetchOnMount: 'always',
    refetchInterval: tab === 'live' && !fed ? ACTIVE_POLL_MS : false,
  })
  const activeFailure = failureOf(active.error)
  useEffect(() => {
    if (activeFailure) say(activeFailure, true)
  }, [activeFailure, say])

  const library = useQuery({ ...videosQuery(), refetchInterval: (query) => videosPoll(query.state.data) }).data
  const pickedVideo = picked ? library?.videos.find(({ filename }) => filename === picked.source) : undefined

  const actions = useLiveActions(state, dispatch, say)
  const upload = useUpload(say)

  const pick = (source: string, name: string, streamId: string | null = null): void => {
    if (!source) {
      say(VIDEO_TEXTS.invalid, true)
      return
    }
    const chosen: Picked = { name, source, streamId, url: playUrl(source) }
    dispatch({ type: 'picked', picked: chosen })
  }

  const retryEnded = ({ source, platform, title }: EndedStream): void => {
    const chosen: Picked = { name: source, source, streamId: null, url: playUrl(source) }
    dispatch({ type: 'retry-asked', picked: chosen, platform, title: title ?? '' })
    // The key is all that is missing.
    requestAnimationFrame(() => document.getElementById('stream-key')?.focus())
  }

  const openTab = (next: Tab): void => {
    dispatch({ type: 'tab-opened', tab: next })
    if (next !== 'live') return
    // The polling that follows is silent; opening the tab says what was found.
    void active.refetch().then(({ data }) => data?.message && say(data.message))
  }

  return (
    <div className="mx-auto w-full max-w-page px-4 py-4 md:px-6 md:pt-2 md:pb-8">
      <h1 className="sr-only">Live</h1>
      <MessageBanner message={message} />
      <div className="grid items-start gap-4 lg:grid-cols-12 lg:grid-rows-[auto_1fr] lg:gap-x-6">
        <div className="min-w-0 lg:col-span-7">
          <Player picked={picked} video={pickedVideo} pickCount={state.pickCount} say={say} />
        </div>
        <Card className="min-w-0 overflow-clip lg:col-span-5 lg:row-span-2">
          <Tabs.Root value={tab} activationMode="manual" onValueChange={(value) => openTab(value as Tab)}>
            <Tabs.List
              aria-label="Sumber dan siaran"
              className="sticky top-14 z-10 grid grid-cols-4 border-b border-line bg-card md:static"
            >
              {TABS.map((value) => (
                <Tabs.Trigger
                  key={value}
                  value={value}
                  className="h-12 border-b-2 border-transparent text-sm font-semibold text-ink-soft -outline-offset-2 transition-colors hover:text-ink data-[state=active]:border-accent data-[state=active]:text-accent-ink"
                >
                  {TAB_LABELS[value]}
                </Tabs.Trigger>
              ))}
            </Tabs.List>
            <Tabs.Content value="lokal">
              <LocalTab
                currentSource={picked?.source ?? null}
                onPick={(video) => pick(video.filename, video.filename)}
                onDelete={(video) => void actions.remove(video)}
                onRetry={actions.retry}
                retryingName={actions.retryingName}
                say={say}
              />
            </Tabs.Content>
            <Tabs.Content value="bigo">
              <BigoTab />
            </Tabs.Content>
            <Tabs.Content value="live">
              <LiveTab
                streams={active.data?.streams}
                failure={activeFailure}
                currentStreamId={picked?.streamId ?? null}
                stoppingId={actions.stoppingId}
                bitrates={active.data?.bitrates}
                onReload={() => void active.refetch()}
                onRetry={retryEnded}
                onPlay={(stream: StreamRowData) =>
                  pick(stream.source ?? '', stream.title || stream.source || '', stream.streamId ?? null)
                }
                onStop={(stream) => void actions.stop(stream)}
                say={say}
              />
            </Tabs.Content>
            <Tabs.Content value="go">
              <GoTab
                picked={picked}
                form={state.form}
                busy={actions.starting}
                onChange={(change) => dispatch({ type: 'form-changed', change })}
                onGo={actions.start}
              />
            </Tabs.Content>
          </Tabs.Root>
        </Card>
        <div className="min-w-0 lg:col-span-7">
          <UploadArea onFile={upload.choose} onCancel={(name) => void upload.cancel(name)} />
          <div className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            {library?.storage && <StorageMeter storage={library.storage} />}
            <ImportDialog say={say} />
          </div>
        </div>
      </div>
    </div>
  )
}
