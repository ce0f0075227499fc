import type { Db } from '../../platform/db/database.ts'
import { createOperatorStreamsRepo, type OperatorStreamRow } from '../broadcasts/store/operator-streams.repo.ts'
import { createOperatorRepo } from '../identity/operator.repo.ts'

export type NamedStream = OperatorStreamRow & { readonly username: string; readonly email: string }

const NOBODY = { username: '', email: '' }

/** Streams with their owners' names. */
export function createOperatorStreams({ db }: { db: Db }) {
  const repo = createOperatorStreamsRepo(db)
  async function named(rows: readonly OperatorStreamRow[]): Promise<NamedStream[]> {
    const names = await createOperatorRepo(db).namesOf([...new Set(rows.map((row) => row.user_id))])
    return rows.map((row) => ({ ...row, ...(names.get(row.user_id) ?? NOBODY) }))
  }
  return {
    /** On air or on their way, oldest first; of all users, or of one. */
    wanted: async (userId: string | null): Promise<NamedStream[]> => named(await repo.wanted(userId)),
    async byId(id: string): Promise<NamedStream | null> {
      const row = await repo.byId(id)
      return row ? ((await named([row]))[0] ?? null) : null
    },
    countByPhase: repo.countByPhase,
  }
}
