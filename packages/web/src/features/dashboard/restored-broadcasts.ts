import type { EndedStream } from '@siarin/contracts/streams'
import type { StreamRowData } from '../broadcasts/api/active-streams.ts'

const kindOf = ({ platform, source }: Pick<StreamRowData, 'platform' | 'source'>): string =>
  JSON.stringify([platform, source])

/**
 * The broadcasts that a restored server has not begun again. The history keeps each of them as restored: one that was started since,
 * of the same video to the same platform, is taken to be that one again.
 */
export function waitingRestored(ended: readonly EndedStream[], active: readonly StreamRowData[]): EndedStream[] {
  const restored = ended.filter((stream) => stream.restored)
  const begunAgain = [...active, ...ended.filter((stream) => !stream.restored)]
  const open = new Map<string, StreamRowData[]>()
  for (const stream of begunAgain) open.set(kindOf(stream), [...(open.get(kindOf(stream)) ?? []), stream])
  return restored.filter((stream) => {
    const candidates = open.get(kindOf(stream)) ?? []
    // One of two channels with the same video that is back does not speak for the other.
    const found = candidates.findIndex(({ startedAt }) => startedAt && startedAt > stream.endedAt)
    if (found >= 0) candidates.splice(found, 1)
    return found < 0
  })
}

/** 'Siaran "Malam" belum tayang lagi' or '3 siaran Anda belum tayang lagi' */
export const restoredWords = ([first, ...others]: readonly EndedStream[]): string => {
  const what =
    others.length > 0 ? `${others.length + 1} siaran Anda` : `Siaran “${first?.title || first?.sourceName || ''}”`
  return `Server ini dipulihkan dari cadangan. ${what} belum tayang lagi dan menunggu Anda menekan “Siarkan lagi”.`
}
