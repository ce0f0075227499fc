import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** What a person's plan follows from; times in ms. */
export type PlanRow = {
  plan?: string
  created_at?: number
  plan_until?: number | null
}

const BUSY_MS = 5000

/** Behind the server's back, for what only time would bring. */
function changeRows(dataDir: string, sql: string, values: (string | number | null)[]): void {
  const db = new DatabaseSync(join(dataDir, 'siarin.db'), { timeout: BUSY_MS })
  try {
    const { changes } = db.prepare(sql).run(...values)
    if (changes === 0) throw new Error(`nothing was changed by ${sql}`)
  } finally {
    db.close()
  }
}

/** Moves the dates of somebody's plan, as if the time had gone by: the server's clock is nobody's to set. */
export function changePlanRow(dataDir: string, email: string, change: PlanRow): void {
  const names = Object.keys(change)
  const sql = `UPDATE users SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE email = ?`
  changeRows(dataDir, sql, [...Object.values(change), email])
}

/** The quarter of an hour in which a typed password counts is over. */
export const ageProofs = (dataDir: string, email: string): void =>
  changeRows(dataDir, 'UPDATE sessions SET confirmed_at = 0 WHERE user_id = (SELECT id FROM users WHERE email = ?)', [
    email,
  ])
