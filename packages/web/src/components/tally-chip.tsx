import { Link } from 'react-router'
import { classes } from '../lib/classes.ts'
import { formatBitrate } from '../lib/format.ts'
import { TallyLamp } from './tally-lamp.tsx'

interface TallyChipProps {
  live: number
  /** Those that are reconnecting. */
  waiting: number
  kbps: number
}

/** '● 3 tayang · 8,1 Mbps', a link to where they are; amber and a word while one reconnects, absent when nothing is on air. */
export function TallyChip({ live, waiting, kbps }: TallyChipProps) {
  if (live + waiting === 0) return null
  const facts = [
    live > 0 && `${live} tayang`,
    waiting > 0 && `${waiting} menyambung ulang`,
    waiting === 0 && kbps > 0 && formatBitrate(kbps),
  ]
  return (
    <Link
      to="/fitur/live"
      className={classes(
        'relative inline-flex h-8 min-w-0 items-center after:absolute after:inset-x-0 after:-inset-y-1.5 gap-2 rounded-full px-3 text-xs font-semibold whitespace-nowrap tabular-nums',
        waiting > 0 ? 'bg-warn-wash text-warn-ink' : 'bg-on-air-wash text-on-air-ink',
      )}
    >
      <TallyLamp lit={live > 0} className={live > 0 ? '' : 'bg-warn!'} />
      {/* Beside the logo and the bell a phone has little room. */}
      <span className="truncate">{facts.filter(Boolean).join(' · ')}</span>
    </Link>
  )
}
