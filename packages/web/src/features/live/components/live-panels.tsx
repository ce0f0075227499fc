import { CalendarClock, Clapperboard, ListVideo, type LucideIcon, MonitorPlay } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { buttonStyle } from '../../../components/button-styles.ts'
import { hostOf } from '../../../lib/online-address.ts'
import { GoTab } from '../../broadcasts/go-tab.tsx'
import { LiveTab } from '../../broadcasts/live-tab.tsx'
import { playUrl } from '../../library/api/videos.ts'
import { ImportDialog } from '../../library/import-dialog.tsx'
import { LocalTab } from '../../library/local-tab.tsx'
import { StorageMeter } from '../../library/storage-meter.tsx'
import { UnfinishedNotes } from '../../library/unfinished-notes.tsx'
import { openFileChooser, UploadArea } from '../../library/upload-area.tsx'
import { BigoTab } from '../../sources/bigo-tab.tsx'
import type { LiveWork } from '../use-live-work.ts'

const UPLOAD_HINT = 'Satu file setiap kali. Kalau koneksi putus, upload dilanjutkan sendiri.'

interface PanelLink {
  readonly to: string
  readonly label: string
  readonly icon: LucideIcon
}

const VIDEO_LINKS: readonly PanelLink[] = [{ to: '/fitur/playlist', label: 'Playlist', icon: ListVideo }]
const BROADCAST_LINKS: readonly PanelLink[] = [
  { to: '/fitur/jadwal', label: 'Jadwal', icon: CalendarClock },
  { to: '/fitur/siaran', label: 'Ruang kontrol', icon: MonitorPlay },
  { to: '/fitur/rekaman', label: 'Rekaman', icon: Clapperboard },
]

/** The screens that go on where a list of this panel ends. */
function PanelLinks({ label, links }: { label: string; links: readonly PanelLink[] }) {
  return (
    <nav aria-label={label} className="flex justify-end gap-1 border-b border-line px-2 py-1">
      {links.map(({ to, label: text, icon: Icon }) => (
        <Link key={to} to={to} className={buttonStyle('quiet', 'small')}>
          {/* Three with icons are wider than a phone. */}
          <Icon aria-hidden size={18} strokeWidth={1.75} className={links.length > 2 ? 'max-sm:hidden' : ''} />
          {text}
        </Link>
      ))}
    </nav>
  )
}

export function LocalPanel({ work }: { work: LiveWork }) {
  const { videos, videoActions, pick } = work
  return (
    <>
      <PanelLinks label="Beberapa video" links={VIDEO_LINKS} />
      <LocalTab
        videos={videos.videos}
        failure={videos.failure}
        currentSource={work.state.picked?.source ?? null}
        onReload={videos.reload}
        onUpload={openFileChooser}
        onPick={({ filename }) => pick({ name: filename, source: filename, streamId: null, url: playUrl(filename) })}
        onDelete={(video) => void videoActions.remove(video)}
        onRetry={videoActions.retry}
        retryingName={videoActions.retryingName}
        standing={work.standing}
      />
    </>
  )
}

export function OnlinePanel({ work }: { work: LiveWork }) {
  const { online, pick } = work
  return (
    <BigoTab
      lists={online}
      picked={work.state.picked}
      onReload={online.reload}
      onPickRoom={({ video: { url, title, accountId }, previewUrl }) =>
        pick({ name: title || hostOf(url), source: url, streamId: null, url: previewUrl, online: { accountId } })
      }
      onPickSource={({ url, name, previewUrl }) =>
        pick({ name, source: url, streamId: null, url: previewUrl, online: { accountId: null } })
      }
      onRemoved={({ url }) => work.forgetSource(url)}
      say={work.say}
    />
  )
}

export function ActivePanel({ work }: { work: LiveWork }) {
  const { active, streamActions } = work
  return (
    <>
      <PanelLinks label="Semua siaran" links={BROADCAST_LINKS} />
      <LiveTab
        streams={active.streams}
        bitrates={active.bitrates}
        failure={active.failure}
        currentStreamId={work.state.picked?.streamId ?? null}
        stoppingId={streamActions.stoppingId}
        onReload={active.reload}
        onChoose={() => work.openTab('lokal')}
        onPlay={work.watch}
        onStop={(stream) => void streamActions.stop(stream)}
        onStopped={work.onStopped}
        onRetry={work.retryEnded}
        say={work.say}
      />
    </>
  )
}

/** `message`: the screen's, where the form shows it; else what the server refused last stands there. */
export function GoPanel({ work, message }: { work: LiveWork; message: ReactNode }) {
  const { accounts, streamActions } = work
  return (
    <GoTab
      picked={work.picked}
      form={work.state.form}
      accounts={accounts}
      videos={work.videos.videos}
      busy={streamActions.starting}
      message={
        message ??
        (streamActions.refusal && <p className="text-sm font-medium text-warn-ink">{streamActions.refusal}</p>)
      }
      onChange={work.changeForm}
      onGo={() => streamActions.start(accounts.list ?? [])}
    />
  )
}

interface UploadPanelProps {
  work: LiveWork
  onDragging: (dragging: boolean) => void
}

export function UploadPanel({ work, onDragging }: UploadPanelProps) {
  const { upload, videos } = work
  return (
    <>
      <UploadArea
        upload={upload.state}
        dragging={work.state.dragging}
        hint={UPLOAD_HINT}
        onDragging={onDragging}
        onFile={upload.choose}
        onCancel={(name) => void upload.cancel(name)}
      />
      <UnfinishedNotes />
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        {videos.storage && <StorageMeter storage={videos.storage} />}
        <ImportDialog say={work.say} />
      </div>
    </>
  )
}
