import type { Db } from '../../platform/db/database.ts'
import { LINE_VERSION, type Line, type StoredLine } from './line.ts'
import type { Part } from './parts.ts'

export type LinesRepo = ReturnType<typeof createLinesRepo>

/** What was worked out of recordings that have ended. It goes with them. */
export function createLinesRepo(db: Db) {
  return {
    /** Null: nobody has worked it out yet. */
    async lineOf(recordingId: string): Promise<Line | null> {
      const row = await db
        .selectFrom('recording_lines')
        .select('line')
        .where('recording_id', '=', recordingId)
        .where('version', '=', LINE_VERSION)
        .executeTakeFirst()
      if (!row) return null
      const bodyOf = async (number: number): Promise<string> => {
        const { body } = await db
          .selectFrom('recording_chunks')
          .select('body')
          .where('recording_id', '=', recordingId)
          .where('version', '=', LINE_VERSION)
          .where('number', '=', number)
          .executeTakeFirstOrThrow()
        return body
      }
      return { ...(JSON.parse(row.line) as StoredLine), bodyOf }
    },

    /** Two programs that work the same out write the same. */
    async keepChunk(recording_id: string, number: number, body: string): Promise<void> {
      await db
        .insertInto('recording_chunks')
        .values({ recording_id, version: LINE_VERSION, number, body })
        .onConflict((conflict) => conflict.columns(['recording_id', 'version', 'number']).doUpdateSet({ body }))
        .execute()
    },
    /** After its chunks. */
    async keepLine(recording_id: string, line: StoredLine): Promise<void> {
      const written = { version: LINE_VERSION, line: JSON.stringify(line) }
      await db
        .insertInto('recording_lines')
        .values({ recording_id, ...written })
        .onConflict((conflict) => conflict.column('recording_id').doUpdateSet(written))
        .execute()
    },

    /** Null: nobody has worked them out yet. */
    async partsOf(recordingId: string): Promise<Part[] | null> {
      const row = await db
        .selectFrom('recording_parts')
        .select('parts')
        .where('recording_id', '=', recordingId)
        .executeTakeFirst()
      return row ? (JSON.parse(row.parts) as Part[]) : null
    },
    keepParts: (recordingId: string, parts: readonly Part[]): Promise<void> => keepParts(db, recordingId, parts),
  }
}

/** Within the transaction that ends a recording. */
export async function keepParts(db: Db, recording_id: string, parts: readonly Part[]): Promise<void> {
  const written = { parts: JSON.stringify(parts) }
  await db
    .insertInto('recording_parts')
    .values({ recording_id, ...written })
    .onConflict((conflict) => conflict.column('recording_id').doUpdateSet(written))
    .execute()
}
