import { Link } from 'react-router'
import { Checkbox } from '../../../components/checkbox.tsx'
import type { Picked } from '../../../lib/picked.ts'

interface PlaylistChoiceProps {
  picked: Picked | null
  once: boolean
  onOnce: (once: boolean) => void
}

/** The way to a playlist while nothing is chosen, and how long a chosen one goes on. */
export function PlaylistChoice({ picked, once, onOnce }: PlaylistChoiceProps) {
  if (!picked) {
    return (
      <p className="text-sm text-ink-soft">
        Beberapa video sekaligus?{' '}
        <Link to="/fitur/playlist" className="font-semibold text-accent-ink underline">
          Pilih playlist
        </Link>
      </p>
    )
  }
  if (!picked.playlist) return null
  return (
    <Checkbox
      label="Selesai setelah satu putaran"
      checked={once}
      onChange={(event) => onOnce(event.currentTarget.checked)}
    />
  )
}
