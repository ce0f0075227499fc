import { DatabaseAwayError, isDiskFull, isLocked } from '../../errors.ts'
import type { Log } from '../../platform/log.ts'

/** Every row would fail by it, and wait for it. */
const isOfDatabase = (error: unknown): boolean =>
  error instanceof DatabaseAwayError || isLocked(error) || isDiskFull(error)

/** One schedule that fails holds up nobody else's. Null: it failed. What ails the database itself ends the round. */
export async function byItself<T>(log: Log, scheduleId: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (isOfDatabase(error)) throw error
    log.warn({ err: error, scheduleId }, 'a schedule could not be planned, others are')
    return null
  }
}
