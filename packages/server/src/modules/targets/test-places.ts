import { TARGET_TEXTS } from '@siarin/contracts/target-texts'
import { DomainError } from '../../errors.ts'

const RETRY_AFTER_SECONDS = 10

/** So many tests at once, and one of each workspace. A caller too many is told so: a person waits at the other end. */
export function createTestPlaces(most: number) {
  const busy = new Set<string>()
  return async function inPlace<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    if (busy.has(workspaceId)) throw new DomainError('target_test_running', TARGET_TEXTS.testRunning)
    if (busy.size >= most) {
      throw new DomainError('server_busy', TARGET_TEXTS.testsFull, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
    busy.add(workspaceId)
    try {
      return await work()
    } finally {
      busy.delete(workspaceId)
    }
  }
}
