import { randomUUID } from 'node:crypto'
import { Secret } from '@siarin/media/secret'
import { DAY_MS, type Filling, HOUR_MS, type Ids } from '../account.ts'
import { fillRows, groupOf, idOf, plus, text } from '../fill-rows.ts'

/** What of an account is about its owner: sessions, devices, letters, what was noted. */
export async function fillIdentity({ db, userId, like, amounts, sealer, now }: Filling): Promise<{ sessions: Ids }> {
  const sessions = { like: randomUUID(), count: amounts.sessions - 1 }
  await fillRows(db, 'sessions', sessions.count, {
    ...like.session,
    ...{ id: idOf(sessions.like), user_id: userId, token_hash: idOf(randomUUID()), ended_at: null },
    ...{ created_at: plus(now - DAY_MS, 1), last_seen_at: plus(now - HOUR_MS, 1) },
  })
  await fillRows(db, 'known_devices', amounts.devices - 1, {
    ...{ id: idOf(randomUUID()), user_id: userId, token_hash: idOf(randomUUID()) },
    ...{ trusted_at: now - DAY_MS, created_at: now - DAY_MS, last_seen_at: now - HOUR_MS },
  })
  await fillRows(db, 'activity', amounts.activities, {
    ...{ id: idOf(randomUUID()), user_id: userId, kind: 'target-added', status: 'ok', address: '10.1.2.3' },
    ...{ device: 'Mozilla/5.0', at: plus(now - 30 * DAY_MS, 1000), detail: text('Tujuan ') },
  })
  await fillRows(db, 'recovery_codes', 10, {
    ...{ id: idOf(randomUUID()), user_id: userId, code_mark: idOf(randomUUID()), used_at: null },
  })
  await fillRows(db, 'mail_links', 10, {
    ...{ id: idOf(randomUUID()), user_id: userId, kind: 'verify', token_hash: idOf(randomUUID()) },
    ...{ created_at: now, expires_at: now + DAY_MS },
  })
  await db
    .insertInto('second_factors')
    .values({
      ...{ user_id: userId, secret_sealed: sealer.seal(new Secret('JBSWY3DPEHPK3PXP')) },
      ...{ created_at: now, confirmed_at: null },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await fillFacts({ db, userId, amounts, now })
  return { sessions }
}

/** What happened, and was read by everybody whom it concerns. */
async function fillFacts({
  db,
  userId,
  amounts,
  now,
}: Pick<Filling, 'db' | 'userId' | 'amounts' | 'now'>): Promise<void> {
  await fillRows(db, 'outbox', amounts.facts, {
    ...{ at: plus(now - HOUR_MS, 1), user_id: userId, subject_kind: 'stream', fact: 'stream.recovered' },
    ...{ subject_id: idOf(randomUUID(), groupOf(100)), payload: '{"offAirMs":1000}' },
  })
  const { id } = await db
    .selectFrom('outbox')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  await db
    .updateTable('outbox_readers')
    .set({ after_id: Number(id) })
    .execute()
}
