export interface SlowShare {
  /** How many may go on without a common place. */
  readonly most: number
}

interface Place {
  /** It takes long: frees its common place, now or once fewer do. */
  moveToSlow(): void
  giveBack(): void
}

type Share = 'common' | 'slow' | 'none'

/**
 * Counts works under way. Nobody knows beforehand which of them will hang, so each begins at a common place, and one that turns out to be
 * slow moves aside: those that hang for the first time hold up the others for a moment, not until they are given up.
 */
export function createSlowShare(atOnce: number, { most: mostSlow }: SlowShare = { most: 0 }) {
  const counts: Record<Share, number> = { common: 0, slow: 0, none: 0 }
  /** Those that take long at a common place, since the share is full. */
  const overdue = new Set<() => void>()
  return {
    free: (): number => Math.max(0, atOnce - counts.common),
    isSlowShareFull: (): boolean => counts.slow >= mostSlow,
    /** Also where none is free: the caller asks first. `onSlow`: it has left its common place. */
    take(onSlow: () => void = () => {}): Place {
      let share: Share = 'common'
      counts.common++
      function move(to: Share): void {
        counts[share]--
        counts[to]++
        share = to
        overdue.delete(makeSlow)
      }
      function makeSlow(): void {
        move('slow')
        onSlow()
      }
      return {
        moveToSlow() {
          if (share !== 'common') return
          if (counts.slow < mostSlow) makeSlow()
          else overdue.add(makeSlow)
        },
        giveBack() {
          const wasSlow = share === 'slow'
          if (share !== 'none') move('none')
          const [next] = overdue
          if (wasSlow) next?.()
        },
      }
    },
  }
}
