import type { Clip } from '../sequence/clips.ts'
import type { KeeperEvent } from './keeper-state.ts'

/** The clip that an event brings along, whose file is held from then on. */
export function clipOf(event: KeeperEvent): Clip | null {
  if (event.type === 'started' || event.type === 'taken-over') return event.session?.clip ?? null
  if (event.type === 'next-judged') return event.next === 'end' ? null : (event.next?.clip ?? null)
  return event.type === 'swap-judged' ? (event.wanted?.clip ?? null) : null
}

/** Holds the files of what plays now and next, and lets go of all others. */
export function holdClips(release: (clip: Clip) => void) {
  const held = new Set<Clip>()
  return {
    keep(brought: Clip | null, needed: readonly (Clip | null)[]): void {
      if (brought) held.add(brought)
      for (const clip of held) {
        if (needed.includes(clip)) continue
        held.delete(clip)
        release(clip)
      }
    },
  }
}
