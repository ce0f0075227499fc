import type { Clock } from '../../platform/clock.ts'
import type { Changes } from '../../platform/db/changes.ts'

interface DueGateDeps {
  readonly changes: Pick<Changes, 'of' | 'seesOthers'>
  readonly clock: Clock
  readonly tables: readonly string[]
}

/** Where every change is seen anyway: for what nobody thought of. */
const POLLS_UNASKED = 30

/**
 * Keeps polls away from the database while nothing can be due: nothing was written since the last look, and the moment that the rows name
 * has not come. The rows stay the truth; what is remembered here is only when to look.
 */
export function createDueGate({ changes, clock, tables }: DueGateDeps) {
  const rows = changes.of(tables)
  let seen = -1
  let nextAt: number | null = null
  let lastNow = 0
  let unasked = 0
  return {
    isClosed(): boolean {
      const now = clock.now()
      const isSetBack = now < lastNow
      lastNow = now
      if (!changes.seesOthers || isSetBack || rows.version() !== seen) return false
      return (nextAt === null || nextAt > now) && unasked++ < POLLS_UNASKED
    },
    /** To be asked before the look: what is written meanwhile counts as new. */
    version: (): number => rows.version(),
    /** Everything that was due has been taken; `next`: when more will be. */
    looked(version: number, next: number | null): void {
      seen = version
      nextAt = next
      unasked = 0
    },
  }
}
