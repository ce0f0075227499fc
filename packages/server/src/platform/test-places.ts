import type { ErrorCode } from '@siarin/contracts/error-codes'
import { DomainError } from '../errors.ts'
import { createSlowShare } from './slow-share.ts'

const RETRY_AFTER_SECONDS = 10

interface TestPlaces {
  readonly atOnce: number
  /** One that takes longer hangs. It goes on beside the others, of which so many may. */
  readonly slowMs: number
  readonly mostSlow: number
  /** How long somebody waits for a place. */
  readonly waitMs: number
  /** What a workspace is told that has one under way. */
  readonly running: { readonly code: ErrorCode; readonly text: string }
  readonly fullText: string
}

/** So many tests at once, and one of each workspace. Who finds no place for a while is told so: a person waits at the other end. */
export function createTestPlaces({ atOnce, slowMs, mostSlow, waitMs, running, fullText }: TestPlaces) {
  const busy = new Set<string>()
  const places = createSlowShare(atOnce, { most: mostSlow })
  const waiting = new Set<() => void>()

  function letIn(): void {
    const [next] = waiting
    if (next && places.free() > 0) next()
  }

  const take = () => places.take(letIn)

  function takeSoon(): Promise<ReturnType<typeof take>> {
    if (places.free() > 0) return Promise.resolve(take())
    return new Promise((resolve, reject) => {
      const come = (): void => {
        clearTimeout(timer)
        waiting.delete(come)
        resolve(take())
      }
      const timer = setTimeout(() => {
        waiting.delete(come)
        reject(new DomainError('server_busy', fullText, { retryAfterSeconds: RETRY_AFTER_SECONDS }))
      }, waitMs)
      waiting.add(come)
    })
  }

  async function inTakenPlace<T>(work: () => Promise<T>): Promise<T> {
    const { moveToSlow, giveBack } = await takeSoon()
    const timer = setTimeout(moveToSlow, slowMs)
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      giveBack()
      letIn()
    }
  }

  return async function inPlace<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    if (busy.has(workspaceId)) throw new DomainError(running.code, running.text)
    busy.add(workspaceId)
    try {
      return await inTakenPlace(work)
    } finally {
      busy.delete(workspaceId)
    }
  }
}
