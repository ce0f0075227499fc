import { STREAM_REASON_TEXTS, streamNoteText, streamReasonText } from '@siarin/contracts/stream-reason-texts'
import { storedReasonText, storedWarningText, VIDEO_REASON_TEXTS } from '@siarin/contracts/video-reasons'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Db, migrate } from '../src/platform/db/database.ts'
import { migrations } from '../src/platform/db/migrations.ts'
import { REPO_DATABASES } from './support/repo-databases.ts'
import { OLD_STREAM_SENTENCES, OLD_VIDEO_SENTENCES, OLD_WARNINGS } from './support/sentences-of-old.ts'

const FOREIGN = 'Alasan yang tidak dikenal siapa pun.'
const NOTE = 'Sumber ini diubah formatnya saat disiarkan, karena formatnya tidak diterima platform.'
const KILLED = 'Proses siaran berhenti mendadak di server. Bila terulang, hubungi admin.'

/** No row ever held them as sentences. */
const ADDED_SINCE = ['over-time', 'recording-gone', 'too-long-for-plan', 'too-much-sound']

describe.each(REPO_DATABASES)('rows that hold sentences, on $name', ({ openEmpty }) => {
  let db: Db
  let close: () => Promise<void>

  beforeEach(async () => {
    ;({ db, close } = await openEmpty())
    await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo('0021-lanes')
    await sql`
      insert into users (id, username, username_key, email, password_hash, api_key_hash, api_key_sealed, created_at)
      values ('u', 'u', 'u', 'u', 'h', 'h', 's', 1)`.execute(db)
  })
  afterEach(() => close())

  const addStream = (id: string, reason: string | null, note: string | null = null, state = '{}') =>
    sql`
      insert into streams (id, user_id, source, platform, target_sealed, target_host, target_mark, looping, desired,
        phase, state, slot, created_at, reason, note)
      values (${id}, 'u', 'a source', 'lain', 'sealed', 'host', ${id}, 1, 'stopped', 'ended', ${state}, 0, 1,
        ${reason}, ${note})`.execute(db)
  const addEvent = (id: string, kind: string, reason: string | null) =>
    sql`insert into stream_events (id, stream_id, at, kind, reason)
      values (${id}, 'stream', 1, ${kind}, ${reason})`.execute(db)
  const addVideo = (id: string, reason: string | null, warning: string | null) =>
    sql`
      insert into videos (id, user_id, filename, status, original_bytes, master_bytes, content_type, created_at,
        reason, warning)
      values (${id}, 'u', ${id}, 'failed', 1, 0, 'video/mp4', 1, ${reason}, ${warning})`.execute(db)

  /** By id, as the new version reads them. */
  async function columnOf(table: 'streams' | 'stream_events' | 'videos', column: string): Promise<Map<string, string>> {
    const { rows } = await sql<{ id: string; value: string }>`
      select id, ${sql.ref(column)} as value from ${sql.table(table)}`.execute(db)
    return new Map(rows.map(({ id, value }) => [id, value]))
  }

  it('of streams and their timelines hold codes afterwards', async () => {
    await addStream('stream', null)
    for (const [index, [sentence]] of OLD_STREAM_SENTENCES.entries()) {
      await addStream(`${index}`, sentence)
      await addEvent(`lost ${index}`, 'lost', sentence)
      await addEvent(`ended ${index}`, 'ended', sentence)
    }
    await migrate(db)
    const [streams, events] = [await columnOf('streams', 'reason'), await columnOf('stream_events', 'reason')]
    for (const [index, [, code]] of OLD_STREAM_SENTENCES.entries()) {
      expect(streams.get(`${index}`)).toBe(code)
      expect(events.get(`lost ${index}`)).toBe(code)
      expect(events.get(`ended ${index}`)).toBe(code)
      expect(Object.keys(STREAM_REASON_TEXTS)).toContain(code)
    }
    expect(streams.size).toBe(OLD_STREAM_SENTENCES.length + 1)
    expect(events.size).toBe(OLD_STREAM_SENTENCES.length * 2)
  })

  it('keep names, codes, what is empty and what nobody knows', async () => {
    const state = '{"at":"ended","reason":"failed","cause":"source-missing"}'
    await addStream('stream', null, NOTE, state)
    await addStream('foreign', FOREIGN, FOREIGN)
    await addStream('code', 'killed')
    // A video may be called whatever its owner likes.
    for (const kind of ['swapped', 'fallback', 'source-back']) await addEvent(kind, kind, KILLED)
    await addEvent('asked', 'asked', null)
    await addEvent('foreign', 'lost', FOREIGN)
    await addEvent('renewed', 'renewed', 'Sesi diperbarui sebelum batas waktunya; siaran dilanjutkan sendiri.')

    await migrate(db)
    expect(Object.fromEntries(await columnOf('streams', 'reason'))).toEqual({
      stream: null,
      foreign: FOREIGN,
      code: 'killed',
    })
    expect(Object.fromEntries(await columnOf('streams', 'note'))).toEqual({
      stream: 'source-encoded',
      foreign: FOREIGN,
      code: null,
    })
    expect((await columnOf('streams', 'state')).get('stream')).toBe(state)
    expect(Object.fromEntries(await columnOf('stream_events', 'reason'))).toEqual({
      swapped: KILLED,
      fallback: KILLED,
      'source-back': KILLED,
      asked: null,
      foreign: FOREIGN,
      renewed: 'session-renewed',
    })
    expect(streamReasonText(FOREIGN)).toBe(FOREIGN)
    expect(streamNoteText('source-encoded')).toBe(NOTE)
  })

  it('of videos hold codes with their figures, and show as they did', async () => {
    const reasons = [...OLD_VIDEO_SENTENCES, [FOREIGN, FOREIGN] as const]
    for (const [index, [sentence]] of reasons.entries()) await addVideo(`reason ${index}`, sentence, null)
    for (const [index, [sentence]] of OLD_WARNINGS.entries()) await addVideo(`warning ${index}`, null, sentence)
    await addVideo('the same again', OLD_VIDEO_SENTENCES[0]?.[0] ?? null, null)

    await migrate(db)
    const [stored, warnings] = [await columnOf('videos', 'reason'), await columnOf('videos', 'warning')]
    for (const [index, [sentence, code]] of reasons.entries()) {
      expect(stored.get(`reason ${index}`)).toBe(code)
      expect(warnings.get(`reason ${index}`)).toBeNull()
      expect(storedReasonText(code)).toBe(sentence)
    }
    for (const [index, [sentence, code]] of OLD_WARNINGS.entries()) {
      expect(warnings.get(`warning ${index}`)).toBe(code)
      expect(stored.get(`warning ${index}`)).toBeNull()
      expect(storedWarningText(code)).toBe(sentence)
    }
    expect(stored.get('the same again')).toBe(OLD_VIDEO_SENTENCES[0]?.[1])
    // None that a row may hold is missing above.
    const codes = Object.keys(VIDEO_REASON_TEXTS).filter((code) => !ADDED_SINCE.includes(code))
    expect(reasons.map(([, code]) => code)).toEqual(expect.arrayContaining(codes))
  })
})
