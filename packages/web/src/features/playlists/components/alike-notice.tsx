import type { Playlist, PlaylistAlike } from '@siarin/contracts/playlists'
import { recipeWords } from '@siarin/contracts/recipes'
import { Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { Bar } from '../../../components/bar.tsx'
import { Button } from '../../../components/button.tsx'
import { formatNumber } from '../../../lib/format.ts'
import { alikeCost, unlikeWords, whyAllWords } from '../playlist-words.ts'
import { useMakeAlike } from '../use-playlist-edits.ts'

function Frame({ children }: { children: ReactNode }) {
  return (
    <section
      aria-label="Format video"
      className="flex gap-2.5 border-b border-line bg-raised px-4 py-3 text-sm sm:px-6"
    >
      <Info aria-hidden size={18} strokeWidth={1.75} className="mt-0.5 shrink-0 text-ink-soft" />
      <div className="grid min-w-0 flex-1 gap-2 text-pretty tabular-nums">{children}</div>
    </section>
  )
}

function UnderWay({ alike }: { alike: PlaylistAlike }) {
  return (
    <Frame>
      <p role="status">
        <span className="font-semibold">Menyamakan format: {alike.progress ?? 0}%.</span> {formatNumber(alike.underWay)}{' '}
        video lagi. Playlist tetap bisa disiarkan, dan berganti sendiri setelah selesai.
      </p>
      <Bar percent={alike.progress ?? 0} label="Menyamakan format video" />
    </Frame>
  )
}

/** Where videos are not alike: what that means, how far it is mended, and one button that mends it. Nothing where they are. */
export function AlikeNotice({ playlist }: { playlist: Playlist }) {
  const { alike } = playlist
  if (!alike) return null
  // What is under way changes what is missing: that is told once it is done.
  if (alike.underWay > 0) return <UnderWay alike={alike} />
  return alike.missing > 0 ? <Missing playlist={playlist} alike={alike} /> : null
}

function Missing({ playlist, alike }: { playlist: Playlist; alike: PlaylistAlike }) {
  const { makeAlike, busy } = useMakeAlike(playlist.id)
  return (
    <Frame>
      <p>
        <span className="font-semibold">{unlikeWords(playlist)}</span> Samakan formatnya supaya semua menyambung tanpa
        jeda. {alike.failed > 0 && `${formatNumber(alike.failed)} video gagal disamakan; alasannya ada di barisnya.`}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button look="secondary" size="small" busy={busy} disabled={busy} onClick={makeAlike}>
          {alike.failed > 0 ? 'Samakan lagi' : 'Samakan format'}
        </Button>
        <p className="text-xs text-ink-soft">
          {whyAllWords(playlist, alike)}
          {alikeCost(alike)} Hasilnya {recipeWords(alike.recipe)}; video aslinya tidak berubah.
        </p>
      </div>
    </Frame>
  )
}
