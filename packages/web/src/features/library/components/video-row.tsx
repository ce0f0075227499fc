import { formatBytes } from '@siarin/contracts/format'
import type { Standing } from '@siarin/contracts/standing'
import type { Video } from '@siarin/contracts/videos'
import { RotateCw, Trash2, TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { FactLine } from '../../../components/fact-line.tsx'
import { classes } from '../../../lib/classes.ts'
import { formatDuration, formatMoment } from '../../../lib/format.ts'
import { BrandVersionButton } from '../brand-version.tsx'
import { planNote, reducedNote, stateWords, technicalFacts, timeWords } from '../video-facts.ts'
import { PreviewButton, usePreview, VideoThumbnail } from './video-thumbnail.tsx'
import { VideoVersions } from './video-versions.tsx'

interface VideoRowProps {
  video: Video
  current: boolean
  retrying: boolean
  /** For a person who has one with this server. */
  standing?: Standing | undefined
  onPick: () => void
  onDelete: () => void
  onRetry?: (() => void) | undefined
}

function StateLine({ video }: { video: Video }) {
  const words = stateWords(video)
  const technical = technicalFacts(video)
  if (words === null) return technical ? <span className="block text-xs text-ink-soft">{technical}</span> : null

  const failed = video.status === 'failed'
  const time = failed ? null : timeWords(video)
  return (
    <span className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs tabular-nums">
      <span
        data-testid="video-state"
        className={classes(
          'rounded-full border px-2 py-px font-semibold',
          failed ? 'border-warn-line bg-warn-wash text-warn-ink' : 'border-accent-line bg-accent-wash text-accent-ink',
        )}
      >
        {words}
      </span>
      {time && <span className="text-ink-soft">{time}</span>}
    </span>
  )
}

function Note({ text }: { text: string }) {
  return (
    <p className="flex gap-1.5 text-xs text-warn-ink">
      <TriangleAlert aria-hidden size={14} strokeWidth={1.75} className="mt-px shrink-0" />
      <span className="min-w-0 break-words">{text}</span>
    </p>
  )
}

export function VideoRow({ video, current, retrying, standing, onPick, onDelete, onRetry }: VideoRowProps) {
  const preview = usePreview(video, current)
  const failed = video.status === 'failed'
  const note = failed ? video.reason : video.warning
  const plan = planNote(video)
  const reduced = plan ? null : reducedNote(video, standing)
  const retriable = onRetry && (failed || plan)
  // Where nothing can be made again, nothing of it can be removed either.
  const hasVersions = onRetry !== undefined && (video.renditions?.length ?? 0) > 0
  const mayBrand = onRetry !== undefined && video.status === 'ready' && (current || hasVersions)
  const facts = [
    // What is still being fetched has no size yet.
    (video.size > 0 || video.step !== 'importing') && formatBytes(video.size),
    video.duration !== null && video.duration !== undefined && formatDuration(video.duration),
    formatMoment(video.createdAt),
  ].filter((fact) => typeof fact === 'string')

  return (
    <li className={classes('group relative', current ? 'bg-accent-wash' : 'hover:bg-raised')}>
      <div className="flex items-start">
        <button
          type="button"
          aria-pressed={current}
          className="flex min-w-0 flex-1 items-start gap-3 py-3 pl-4 text-left -outline-offset-2"
          onClick={onPick}
        >
          <VideoThumbnail video={video} preview={preview} />
          <span className="min-w-0 flex-1">
            <span dir="auto" className="block truncate text-left text-sm font-semibold" title={video.filename}>
              {video.filename}
            </span>
            <FactLine facts={facts} />
            <StateLine video={video} />
          </span>
        </button>
        <button
          type="button"
          aria-label={`Hapus ${video.filename}`}
          className="mx-2 mt-4 grid size-11 shrink-0 place-items-center rounded-control text-ink-soft transition-opacity hover:bg-pressed hover:text-ink focus-visible:opacity-100 group-hover:opacity-100 pointer-fine:opacity-60"
          onClick={onDelete}
        >
          <Trash2 aria-hidden size={18} strokeWidth={1.75} />
        </button>
      </div>
      <PreviewButton filename={video.filename} preview={preview} />
      {(note || plan || reduced || retriable || hasVersions || mayBrand) && (
        <div className="grid justify-items-start gap-2 pr-4 pb-3 pl-31">
          {note && <Note text={note} />}
          {plan && (plan.urgent ? <Note text={plan.text} /> : <p className="text-xs text-ink-soft">{plan.text}</p>)}
          {reduced && (
            <p className="text-xs text-ink-soft">
              {reduced}{' '}
              <Link to="/profile/plan" className="font-semibold text-accent-ink underline underline-offset-2">
                Lihat paket
              </Link>
            </p>
          )}
          {retriable && (
            <Button look="secondary" size="small" busy={retrying} disabled={retrying} onClick={onRetry}>
              {!retrying && <RotateCw aria-hidden size={16} strokeWidth={1.75} />}
              {failed ? 'Coba lagi' : 'Siapkan ulang'}
            </Button>
          )}
          {hasVersions && <VideoVersions video={video} />}
          {mayBrand && (
            // On a phone there is no room for its words beside the picture.
            <div className="max-sm:-ml-27">
              <BrandVersionButton video={video} />
            </div>
          )}
        </div>
      )}
    </li>
  )
}
