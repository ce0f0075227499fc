import { TARGET_TEXTS } from '@siarin/contracts/target-texts'
import { DomainError } from '../../errors.ts'
import { createSlowShare } from '../../platform/slow-share.ts'

const RETRY_AFTER_SECONDS = 10

interface TestPlaces {
  readonly atOnce: number
  /** One that takes longer hangs. It goes on beside the others, of which so many may. */
  readonly slowMs: number
  readonly mostSlow: number
}

/** So many tests at once, and one of each workspace. A caller too many is told so: a person waits at the other end. */
export function createTestPlaces({ atOnce, slowMs, mostSlow }: TestPlaces) {
  const busy = new Set<string>()
  const places = createSlowShare(atOnce, { most: mostSlow })
  return async function inPlace<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    if (busy.has(workspaceId)) throw new DomainError('target_test_running', TARGET_TEXTS.testRunning)
    if (places.free() === 0) {
      throw new DomainError('server_busy', TARGET_TEXTS.testsFull, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
    busy.add(workspaceId)
    const { moveToSlow, giveBack } = places.take()
    const timer = setTimeout(moveToSlow, slowMs)
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      giveBack()
      busy.delete(workspaceId)
    }
  }
}
