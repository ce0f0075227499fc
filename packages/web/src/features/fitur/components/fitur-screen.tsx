import {
  Bell,
  CalendarClock,
  ChartNoAxesColumn,
  Clapperboard,
  GraduationCap,
  ListVideo,
  type LucideIcon,
  MonitorPlay,
  Radio,
  Send,
  Stamp,
  UserCog,
  Users,
  Webhook,
} from 'lucide-react'
import { Link } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Page } from '../../../components/page.tsx'
import { classes } from '../../../lib/classes.ts'
import { AccessStopped } from '../../standing/access-stopped.tsx'
import { useStopped } from '../../standing/api/standing.ts'
import { ActivityList } from './activity-list.tsx'

interface Tile {
  label: string
  text: string
  path: string
  icon: LucideIcon
  fresh?: true
  /** Announced, and not there yet. */
  coming?: true
}

const TILES: readonly Tile[] = [
  { label: 'Live', text: 'Upload video dan siarkan berulang.', path: '/fitur/live', icon: Radio },
  { label: 'Ruang kontrol', text: 'Semua siaran dalam satu layar.', path: '/fitur/siaran', icon: MonitorPlay },
  { label: 'Jadwal', text: 'Atur kapan siaran mulai dan selesai.', path: '/fitur/jadwal', icon: CalendarClock },
  {
    label: 'Analitik',
    text: 'Lihat jam tayang dan setiap gangguan.',
    path: '/fitur/analytics',
    icon: ChartNoAxesColumn,
  },
  { label: 'Rekaman', text: 'Putar dan unduh siaran yang direkam.', path: '/fitur/rekaman', icon: Clapperboard },
  { label: 'Playlist', text: 'Susun beberapa video dalam satu siaran.', path: '/fitur/playlist', icon: ListVideo },
  { label: 'Branding', text: 'Pasang logo dan teks Anda di video.', path: '/fitur/branding', icon: Stamp },
  { label: 'Tujuan', text: 'Simpan dan uji tujuan siaran.', path: '/fitur/target', icon: Send },
  { label: 'Notifikasi', text: 'Dikabari saat siaran bermasalah.', path: '/fitur/notifikasi', icon: Bell },
  { label: 'Webhook', text: 'Kabari program Anda sendiri.', path: '/fitur/webhook', icon: Webhook },
  { label: 'Account', text: 'Kelola akun Bigo dan TikTok.', path: '/fitur/account', icon: UserCog },
  { label: 'Tambah Followers', text: 'Masih kami siapkan.', path: '#', icon: Users, fresh: true, coming: true },
  {
    label: 'Tutorial',
    text: 'Belajar langkah demi langkah.',
    path: '/fitur/tutorial',
    icon: GraduationCap,
    fresh: true,
  },
]

const TILE = 'grid content-start gap-3 rounded-card border p-4 sm:p-5'
const OPEN_TILE = `${TILE} border-line bg-card transition-colors hover:border-accent-line`
const COMING_TILE = `${TILE} cursor-default border-dashed border-line-strong`

function TileLink({ tile }: { tile: Tile }) {
  const face = (
    <>
      <span className="flex items-start justify-between gap-2">
        <span
          className={classes(
            'grid size-11 shrink-0 place-items-center rounded-control',
            tile.coming ? 'bg-raised text-ink-soft' : 'bg-accent-wash text-accent-ink',
          )}
        >
          <tile.icon aria-hidden size={20} strokeWidth={1.75} />
        </span>
        <span className="flex flex-wrap justify-end gap-1">
          {tile.coming && <Badge>Segera</Badge>}
          {tile.fresh && <Badge tone={tile.coming ? 'neutral' : 'accent'}>Baru</Badge>}
        </span>
      </span>
      <span className="min-w-0">
        <span className="block text-base font-bold">{tile.label}</span>
        <span className="mt-0.5 block text-sm text-ink-soft">{tile.text}</span>
      </span>
    </>
  )
  // The router would make the page's own address of '#', and the browser would jump to the top.
  return tile.coming ? (
    <a href={tile.path} aria-disabled className={COMING_TILE} onClick={(event) => event.preventDefault()}>
      {face}
    </a>
  ) : (
    <Link to={tile.path} className={OPEN_TILE}>
      {face}
    </Link>
  )
}

export function FiturScreen() {
  const stopped = useStopped()
  return (
    <Page title="Fitur" lead="Pilih yang ingin Anda kerjakan.">
      <ul className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
        {TILES.map((tile) => (
          <li key={tile.label} className="grid">
            <TileLink tile={tile} />
          </li>
        ))}
      </ul>
      <div className="mt-6">{stopped ? <AccessStopped standing={stopped} /> : <ActivityList />}</div>
    </Page>
  )
}
