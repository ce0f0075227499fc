import { setTimeout as sleep } from 'node:timers/promises'

/** In one transaction: SQLite has one writer, and broadcasts write too. */
export const ROWS_AT_ONCE = 100
const BREATH_MS = 5

/** Does what may be much a little at a time, and everybody else gets a turn in between. `doSome`: returns how many rows there were for it. */
export async function inSlices(doSome: () => Promise<number>): Promise<void> {
  while ((await doSome()) >= ROWS_AT_ONCE) await sleep(BREATH_MS)
}
