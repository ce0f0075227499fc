import type { Rendition, Video } from '@siarin/contracts/videos'
import { X } from 'lucide-react'
import { askConfirmation } from '../../../lib/dialogs.ts'
import { formatShortBytes } from '../../../lib/format.ts'
import { versionName } from '../../branding/brand-words.ts'
import { isUnderWay } from '../api/videos.ts'
import { useRenditionActions } from '../use-rendition-actions.ts'
import { renditionWords } from '../video-facts.ts'

/** '1280×720 · 30 fps · 6.000 kbps · 8,8 MB', 'logo kanan atas · 1280×720 · Disiapkan 43%' */
function versionWords(made: Rendition): string {
  if (made.state === 'failed') return `${versionName(made)} · Gagal. ${made.reason ?? ''}`
  return `${versionName(made)} · ${isUnderWay(made) ? renditionWords(made) : formatShortBytes(made.size)}`
}

const CONSEQUENCE =
  'Siaran atau playlist yang memakai versi ini nanti mengirim video aslinya, sampai versinya disiapkan lagi.'

/** What was made of a video for platforms and playlists: it takes room, so it can be removed. */
export function VideoVersions({ video }: { video: Video }) {
  const { remove, busy } = useRenditionActions(video.filename)
  /** What is still to be made is taken back at once; a version that is ready took time to make. */
  async function removeVersion(made: Rendition): Promise<void> {
    const question = `Hapus versi ${versionName(made)}?`
    if (isUnderWay(made) || made.state === 'failed' || (await askConfirmation(question, CONSEQUENCE, 'Hapus')))
      remove(made.recipe)
  }
  return (
    <ul aria-label={`Versi lain ${video.filename}`} className="grid w-full gap-0.5">
      {video.renditions?.map((made) => (
        <li key={made.recipe} className="flex items-center justify-between gap-2 text-xs text-ink-soft tabular-nums">
          <span className="min-w-0 text-pretty">Versi {versionWords(made)}</span>
          <button
            type="button"
            disabled={busy}
            title={isUnderWay(made) ? 'Batalkan' : 'Hapus versi'}
            aria-label={`${isUnderWay(made) ? 'Batalkan' : 'Hapus'} versi ${versionName(made)}`}
            className="-my-2 -mr-2 grid size-11 shrink-0 place-items-center rounded-control hover:bg-pressed hover:text-ink disabled:opacity-50"
            onClick={() => void removeVersion(made)}
          >
            <X aria-hidden size={16} strokeWidth={1.75} />
          </button>
        </li>
      ))}
    </ul>
  )
}
