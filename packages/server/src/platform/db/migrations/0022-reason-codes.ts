import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { NOTE_SENTENCES, STREAM_SENTENCES, videoReasonOf, videoWarningOf } from './0022-sentences.ts'

const codeFor = (column: string, codes: Readonly<Record<string, string>>) => {
  const whens = Object.entries(codes).map(([sentence, code]) => sql`when ${sentence} then ${code}`)
  return sql`case ${sql.ref(column)} ${sql.join(whens, sql` `)} end`
}

const isOneOf = (column: string, codes: Readonly<Record<string, string>>) =>
  sql`${sql.ref(column)} in (${sql.join(Object.keys(codes))})`

/** Sentences with figures in them are as many as there are figures: each that there is, by itself. */
async function replaceIn(
  db: Kysely<unknown>,
  column: 'reason' | 'warning',
  codeOf: (sentence: string) => string | null,
): Promise<void> {
  const ref = sql.ref(column)
  const { rows } = await sql<{ sentence: string }>`
    select distinct ${ref} as sentence from videos where ${ref} is not null`.execute(db)
  for (const { sentence } of rows) {
    const code = codeOf(sentence)
    if (code !== null) await sql`update videos set ${ref} = ${code} where ${ref} = ${sentence}`.execute(db)
  }
}

/**
 * Rows keep codes; sentences are made where they are shown. What is none of our sentences stays, and is shown as it is: also the names
 * that some events of the timeline carry instead of a reason.
 */
export const reasonCodes: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      update streams set reason = ${codeFor('reason', STREAM_SENTENCES)}
      where ${isOneOf('reason', STREAM_SENTENCES)}`.execute(db)
    await sql`
      update stream_events set reason = ${codeFor('reason', STREAM_SENTENCES)}
      where ${isOneOf('reason', STREAM_SENTENCES)} and kind not in ('swapped', 'fallback', 'source-back')`.execute(db)
    await sql`
      update streams set note = ${codeFor('note', NOTE_SENTENCES)}
      where ${isOneOf('note', NOTE_SENTENCES)}`.execute(db)
    await replaceIn(db, 'reason', videoReasonOf)
    await replaceIn(db, 'warning', videoWarningOf)
  },
}
