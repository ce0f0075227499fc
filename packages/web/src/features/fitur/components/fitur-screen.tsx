import { GraduationCap, type LucideIcon, Radio, UserCog, Users } from 'lucide-react'
import { Link } from 'react-router'
import { Page } from '../../../components/page.tsx'

interface Tile {
  label: string
  text: string
  path: string
  icon: LucideIcon
  fresh?: true
}

const TILES: readonly Tile[] = [
  { label: 'Live', text: 'Upload video dan siarkan berulang.', path: '/fitur/live', icon: Radio },
  { label: 'Account', text: 'Kelola akun Bigo dan TikTok.', path: '/fitur/account', icon: UserCog },
  { label: 'Tambah Followers', text: 'Segera hadir.', path: '#', icon: Users, fresh: true },
  {
    label: 'Tutorial',
    text: 'Belajar langkah demi langkah.',
    path: '/fitur/tutorial',
    icon: GraduationCap,
    fresh: true,
  },
]

function TileLink({ tile }: { tile: Tile }) {
  return (
    <Link
      to={tile.path}
      className="flex items-start gap-4 rounded-card border border-line bg-card p-5 transition-colors hover:border-accent-line"
    >
      <span className="grid size-11 shrink-0 place-items-center rounded-control bg-accent-wash text-accent-ink">
        <tile.icon aria-hidden size={20} strokeWidth={1.75} />
      </span>
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-2 text-base font-bold">
          {tile.label}
          {tile.fresh && (
            <span className="rounded-full bg-accent-wash px-2 py-0.5 text-xs font-semibold text-accent-ink">Baru</span>
          )}
        </span>
        <span className="mt-0.5 block text-sm text-ink-soft">{tile.text}</span>
      </span>
    </Link>
  )
}

export function FiturScreen() {
  return (
    <Page title="Fitur" lead="Pilih yang ingin Anda kerjakan.">
      <ul className="grid gap-4 sm:grid-cols-2">
        {TILES.map((tile) => (
          <li key={tile.label} className="grid">
            <TileLink tile={tile} />
          </li>
        ))}
      </ul>
    </Page>
  )
}
