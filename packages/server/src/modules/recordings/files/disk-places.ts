export interface DiskPlace {
  noteMoving(): void
  /** Does what waits for something else than the disk, such as the store. The place is free meanwhile. */
  leaveFor(work: () => Promise<void>): Promise<void>
  giveBack(): void
}

interface OwnSession {
  readonly folder: string
  readonly owner: string
}

interface Holder extends OwnSession {
  /** Since when it has brought nothing. */
  since: number
}

/** A few places for sessions that are read or written, and fewer for those of one owner. One that is back from elsewhere has its place at once, also beside as many others. */
export function createDiskPlaces(
  { atOnce, each }: { atOnce: number; each: number },
  now: () => number = () => performance.now(),
) {
  const holders = new Set<Holder>()
  const awayFrom = new Set<string>()
  return {
    /** For how long a session has waited for the disk in vain; null: it may take a place. */
    waitedMs({ folder, owner }: OwnSession): number | null {
      const own = [...holders].filter((holder) => holder.folder === folder)
      const ofOwner = [...holders].filter((holder) => holder.owner === owner)
      // Where every place is taken, it waits for as long as any of them brings something.
      const others = ofOwner.length >= each ? ofOwner : holders.size >= atOnce ? [...holders] : []
      const waitedFor = own.length === 0 ? others : own
      return waitedFor.length === 0 ? null : now() - Math.max(...waitedFor.map(({ since }) => since))
    },
    isAway: (folder: string): boolean => awayFrom.has(folder),
    isBusy: (): boolean => holders.size + awayFrom.size > 0,
    /** `onLeft`: it waits for the disk no longer, now or for the first time. */
    take({ folder, owner }: OwnSession, onLeft: () => void): DiskPlace {
      const holder: Holder = { folder, owner, since: now() }
      holders.add(holder)
      const noteMoving = (): void => {
        holder.since = now()
      }
      return {
        noteMoving,
        async leaveFor(work) {
          holders.delete(holder)
          awayFrom.add(folder)
          onLeft()
          try {
            await work()
          } finally {
            awayFrom.delete(folder)
            noteMoving()
            holders.add(holder)
          }
        },
        giveBack() {
          holders.delete(holder)
          onLeft()
        },
      }
    },
  }
}
