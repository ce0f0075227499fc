import type { ErrorCode } from '@siarin/contracts/error-codes'
import { DomainError } from '../errors.ts'
import { createSlowShare } from './slow-share.ts'

const RETRY_AFTER_SECONDS = 10

interface TestPlaces {
  readonly atOnce: number
  /** One that takes longer hangs. It goes on beside the others, of which so many may. */
  readonly slowMs: number
  readonly mostSlow: number
  /** What a workspace is told that has one under way. */
  readonly running: { readonly code: ErrorCode; readonly text: string }
  readonly fullText: string
}

/** So many tests at once, and one of each workspace. A caller too many is told so: a person waits at the other end. */
export function createTestPlaces({ atOnce, slowMs, mostSlow, running, fullText }: TestPlaces) {
  const busy = new Set<string>()
  const places = createSlowShare(atOnce, { most: mostSlow })
  return async function inPlace<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    if (busy.has(workspaceId)) throw new DomainError(running.code, running.text)
    if (places.free() === 0) {
      throw new DomainError('server_busy', fullText, { retryAfterSeconds: RETRY_AFTER_SECONDS })
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
