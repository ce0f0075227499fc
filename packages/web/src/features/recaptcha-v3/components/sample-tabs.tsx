import { Button } from '../../../components/button.tsx'
import { FactLine } from '../../../components/fact-line.tsx'
import { ListFrame } from '../../../components/list-frame.tsx'
import { PlatformBadge } from '../../../components/platform-mark.tsx'
import { formatDuration, formatMoment } from '../../../lib/format.ts'
import { OnlineRow } from '../../sources/online-row.tsx'
import { SAMPLE_STREAMS, SAMPLE_VIDEOS } from '../samples.ts'

/** `name` tells them apart: all of them play the same clip. */
interface SampleTabProps {
  currentName: string | null
  onPick: (url: string, name: string) => void
}

const SAMPLE_NOTE = 'Data contoh'

const Note = () => (
  <p className="border-b border-line bg-raised px-4 py-2 text-xs font-semibold text-ink-soft">{SAMPLE_NOTE}</p>
)

const nothingToReload = (): void => {}

export function SampleVideosTab({ currentName, onPick }: SampleTabProps) {
  return (
    <>
      <Note />
      <ListFrame
        label="Video online"
        count={SAMPLE_VIDEOS.length}
        failure={null}
        onReload={nothingToReload}
        emptyText="Tidak ada video online yang tersedia."
      >
        {SAMPLE_VIDEOS.map(({ id, title, url, size, duration }) => (
          <OnlineRow
            key={id}
            id={String(id)}
            title={title}
            size={size}
            duration={duration}
            current={title === currentName}
            onPick={() => onPick(url, title)}
          />
        ))}
      </ListFrame>
    </>
  )
}

export function SampleStreamsTab({ currentName, onPick }: SampleTabProps) {
  return (
    <>
      <Note />
      <ListFrame
        label="Siaran aktif"
        count={SAMPLE_STREAMS.length}
        failure={null}
        onReload={nothingToReload}
        emptyText="Tidak ada live stream yang aktif saat ini."
      >
        {SAMPLE_STREAMS.map(({ id, platform, title, source, startedAt, duration }, index) => (
          <li
            key={id}
            className={`relative flex items-start gap-2 py-3 pr-4 ${title === currentName ? 'bg-accent-wash' : 'hover:bg-raised'}`}
          >
            <button
              type="button"
              aria-pressed={title === currentName}
              className="flex min-w-0 flex-1 gap-3 pl-4 text-left -outline-offset-2 after:absolute after:inset-0"
              onClick={() => onPick(source, title)}
            >
              <span className="w-6 shrink-0 text-right text-sm font-semibold text-ink-soft tabular-nums">
                {index + 1}.
              </span>
              <span className="grid min-w-0 flex-1 gap-1">
                <PlatformBadge platform={platform} />
                <span className="truncate text-sm font-semibold">{title}</span>
                <FactLine facts={[`Mulai ${formatMoment(startedAt)}`, formatDuration(duration)]} />
                <span className="truncate font-mono text-xs text-ink-soft">ID {id}</span>
              </span>
            </button>
            <Button
              look="danger"
              size="small"
              className="z-1"
              disabled
              title="Ini hanya contoh, tidak ada yang tayang."
            >
              Stop
            </Button>
          </li>
        ))}
      </ListFrame>
    </>
  )
}
