import { GraduationCap, type LucideIcon, Radio, UserCog, Users } from 'lucide-react'
import { Link } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Page } from '../../../components/page.tsx'
import { ActivityList } from './activity-list.tsx'

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

const TILE =
  'grid content-start gap-3 rounded-card border border-line bg-card p-4 transition-colors hover:border-accent-line sm:p-5'

function TileLink({ tile }: { tile: Tile }) {
  const face = (
    <>
      <span className="flex items-start justify-between gap-2">
        <span className="grid size-11 shrink-0 place-items-center rounded-control bg-accent-wash text-accent-ink">
          <tile.icon aria-hidden size={20} strokeWidth={1.75} />
        </span>
        {tile.fresh && <Badge tone="accent">Baru</Badge>}
      </span>
      <span className="min-w-0">
        <span className="block text-base font-bold">{tile.label}</span>
        <span className="mt-0.5 block text-sm text-ink-soft">{tile.text}</span>
      </span>
    </>
  )
  // The router would make the page's own address of '#'.
  return tile.path === '#' ? (
    <a href={tile.path} className={TILE}>
      {face}
    </a>
  ) : (
    <Link to={tile.path} className={TILE}>
      {face}
    </Link>
  )
}

export function FiturScreen() {
  return (
    <Page title="Fitur" lead="Pilih yang ingin Anda kerjakan.">
      <ul className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
        {TILES.map((tile) => (
          <li key={tile.label} className="grid">
            <TileLink tile={tile} />
          </li>
        ))}
      </ul>
      <div className="mt-6">
        <ActivityList />
      </div>
    </Page>
  )
}
