import type { Following } from '../sequence/clip-sequence.ts'
import type { Clip } from '../sequence/clips.ts'
import type { BegunSession, KeeperEvent, KeeperState } from './keeper-state.ts'

/** The clips that an event brings along, whose files are held from then on. */
export function clipsOf(event: KeeperEvent): Clip[] {
  if (event.type === 'started' || event.type === 'taken-over') return event.session ? heldBy(event.session) : []
  if (event.type === 'next-judged') return clipIn(event.next)
  return event.type === 'swap-judged' && event.wanted ? [event.wanted.clip] : []
}

/** What a session has pinned. */
export const heldBy = ({
  clip,
  next,
  before,
  asked,
}: Pick<BegunSession, 'clip' | 'next' | 'before' | 'asked'>): Clip[] => [
  clip,
  ...(asked ? [asked] : []),
  ...clipIn(next),
  ...(before ? [before.clip] : []),
]

const clipIn = (next: Following | null | undefined): Clip[] => (next && typeof next === 'object' ? [next.clip] : [])

/** Whatever ffmpeg has open, or may come to. */
export const neededClips = ({ clip, nextClip, reads, readBefore, formerNexts }: KeeperState): (Clip | null)[] => [
  ...[clip, nextClip, reads?.clip ?? null, readBefore?.clip ?? null],
  ...formerNexts.map((former) => former.clip),
]

/** Holds the files of what plays now and next, and lets go of all others. */
export function holdClips(release: (clip: Clip) => void) {
  const held = new Set<Clip>()
  return {
    keep(brought: readonly Clip[], needed: readonly (Clip | null)[]): void {
      for (const clip of brought) held.add(clip)
      for (const clip of held) {
        if (needed.includes(clip)) continue
        held.delete(clip)
        release(clip)
      }
    },
  }
}
