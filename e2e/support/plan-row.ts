import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** What a person's plan follows from; times in ms. */
export type PlanRow = {
  plan?: string
  created_at?: number
  plan_until?: number | null
}

const BUSY_MS = 5000

/** Moves the dates of somebody's plan, as if the time had gone by: the server's clock is nobody's to set. */
export function changePlanRow(dataDir: string, email: string, change: PlanRow): void {
  const db = new DatabaseSync(join(dataDir, 'siarin.db'), { timeout: BUSY_MS })
  try {
    const names = Object.keys(change)
    const sql = `UPDATE users SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE email = ?`
    const { changes } = db.prepare(sql).run(...Object.values(change), email)
    if (changes !== 1) throw new Error(`there is no user ${email}`)
  } finally {
    db.close()
  }
}
