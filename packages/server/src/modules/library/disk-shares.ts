import { createTurns } from '../../platform/turns.ts'

/** One upload's part of the disk, all counted from its first byte. */
interface Share {
  readonly announced: number
  /** Up to here it may be written without asking again. */
  admitted: number
  written: number
}

/** So much is admitted at a time, where there is plenty. */
const STEP_BYTES = 64 * 1024 ** 2

export type DiskShares = ReturnType<typeof createDiskShares>

/**
 * What is on its way to the disk through this program. The disk knows only what has been written, so what the others may still write is
 * taken off what is left. One asks at a time, so that no two get the same bytes.
 */
export function createDiskShares(spareBytes: () => Promise<number>, full: () => Error) {
  const shares = new Map<string, Share>()
  const inTurn = createTurns(1)

  function comingOf(except: string | null, endOf: (share: Share) => number): number {
    let bytes = 0
    for (const [id, share] of shares) if (id !== except) bytes += Math.max(0, endOf(share) - share.written)
    return bytes
  }
  const announcedBy = (except: string | null) =>
    comingOf(except, ({ announced, admitted }) => Math.max(announced, admitted))

  async function assertLeft(bytes: number, except: string | null): Promise<void> {
    // Counted before the disk is asked: what is written meanwhile counts twice rather than not at all.
    const coming = announcedBy(except)
    if ((await spareBytes()) - coming < bytes) throw full()
  }

  return {
    /** Refuses what does not fit beside all that has been announced. */
    assertRoom: (bytes: number): Promise<void> => assertLeft(bytes, null),
    /** The same, and from now on it counts for the others. */
    begin: (id: string, { announced, arrived }: { announced: number; arrived: number }): Promise<void> =>
      inTurn(async () => {
        await assertLeft(announced - arrived, id)
        shares.set(id, { announced, admitted: arrived, written: arrived })
      }),
    /**
     * Answers up to which byte, `most` at the furthest, nobody needs to ask again. Here only what the others may write at once counts: one
     * that has announced much and comes slowly must not break off another that has begun.
     */
    admit: (id: string, upTo: number, most: number): Promise<number> =>
      inTurn(async () => {
        const share = shares.get(id) ?? { announced: 0, admitted: 0, written: 0 }
        const coming = comingOf(id, ({ admitted }) => admitted)
        const left = (await spareBytes()) - coming - Math.max(0, upTo - share.written)
        if (left < 0) throw full()
        share.admitted = Math.min(most, upTo + Math.min(STEP_BYTES, Math.floor(left / 2)))
        return share.admitted
      }),
    wrote(id: string, upTo: number): void {
      const share = shares.get(id)
      if (share) share.written = upTo
    },
    end: (id: string): void => void shares.delete(id),
  }
}
