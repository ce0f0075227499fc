import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { incidentsRepo } from '../src/modules/alerts/incidents.repo.ts'
import { type Db, isPostgres } from '../src/platform/db/database.ts'
import { holdPlace } from '../src/platform/outbox/fact-reader.ts'
import { writeFacts } from '../src/platform/outbox/facts.ts'
import { alertSuite, HOUR_MS, MINUTE_MS, NOON, settle, until } from './support/alert-suite.ts'
import { cameBack, wasAway, wasGivenUp, wentOff } from './support/alert-world.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'

/** How many wait for rows that others hold. Not from inside a transaction: there it would stay as it was at the first look. */
async function waitingFor(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.count ?? 0
}

describe.each(REPO_DATABASES)('alerts on $name', ({ open }) => {
  const at = alertSuite(open)

  it('[ALERT-01] tells a broadcast that stays off air after its minute, not before, and its end, in words', async () => {
    await at.world.addChannel(at.userId, 'kanal')
    await at.world.start()
    await at.world.tell(at.userId, 'pagi', wentOff(NOON))
    at.world.set(NOON + MINUTE_MS - 1)
    await settle()
    expect(at.world.sent).toEqual([])
    at.world.set(NOON + MINUTE_MS)
    await until(() => expect(at.world.sent).toHaveLength(1))
    expect(at.world.sent[0]).toMatchObject({
      title: 'Siaran terputus: Siaran pagi',
      text: expect.stringMatching(
        /^Siaran “Siaran pagi” ke YouTube tidak tayang sejak 16 Nov 2026 pukul 12\.00 WIB\. Platform memutus siaran\..*Kami terus mencoba/,
      ),
      url: 'https://siarin.example/fitur/siaran?siaran=pagi',
      isImportant: true,
      topic: 'stream:pagi',
    })
    at.world.set(NOON + 65 * MINUTE_MS)
    await at.world.tell(at.userId, 'pagi', cameBack(NOON + 65 * MINUTE_MS, 65 * MINUTE_MS))
    await until(() => expect(at.world.sent).toHaveLength(2))
    expect(at.world.sent[1]).toMatchObject({
      title: 'Tayang kembali: Siaran pagi',
      text: 'Siaran “Siaran pagi” ke YouTube tayang kembali pada 16 Nov 2026 pukul 13.05 WIB, setelah terputus selama 1 jam 5 menit.',
    })
    expect((await at.world.bell(at.userId)).map(({ kind }) => kind)).toEqual(['stream.back', 'stream.offair'])
  })

  it('[ALERT-01] judges what waits anew when the minutes are changed', async () => {
    await at.world.addChannel(at.userId, 'kanal')
    await at.world.save(at.userId, { offAirMinutes: 30 })
    await at.world.start()
    await at.world.tell(at.userId, 'pagi', wentOff(NOON))
    at.world.set(NOON + 10 * MINUTE_MS)
    await settle()
    expect(at.world.sent).toEqual([])
    await at.world.save(at.userId, { offAirMinutes: 11 })
    await settle()
    expect(at.world.sent).toEqual([])
    at.world.set(NOON + 11 * MINUTE_MS)
    await until(() => expect(at.world.sent).toHaveLength(1))
  })

  it('[ALERT-01] settings that are saved while facts are taken wait for them, and neither waits for ever', async () => {
    const incident = (id: string) => ({ id, userId: at.userId, state: { off: null }, dueAt: NOON })
    const { db, world } = at
    for (const id of ['stream:a', 'stream:b']) await incidentsRepo.save(db, incident(id), NOON)
    await db.insertInto('outbox_readers').values({ name: 'alerts', after_id: 0 }).execute()
    let saved: Promise<void> = Promise.resolve()
    await db.transaction().execute(async (inside) => {
      await holdPlace(inside, 'alerts')
      // In another order than that in which they lie.
      await incidentsRepo.save(inside, incident('stream:b'), NOON)
      saved = world.save(at.userId, { offAirMinutes: 2 })
      // SQLite lets nobody in before this is over.
      if (isPostgres(db)) await until(async () => expect(await waitingFor(db)).toBe(1))
      await incidentsRepo.save(inside, { ...incident('stream:a'), dueAt: NOON + HOUR_MS }, NOON)
    })
    await saved
    const rows = await db.selectFrom('alert_incidents').select('due_at').execute()
    expect(rows).toEqual([{ due_at: NOON }, { due_at: NOON }])
  })

  it('[ALERT-01] keeps the minute exact when the clock is set', async () => {
    await at.world.addChannel(at.userId, 'kanal')
    await at.world.start({ isAlone: true })
    await at.world.tell(at.userId, 'pagi', wentOff(NOON - 30_000))
    const incident = () => at.db.selectFrom('alert_incidents').select('due_at').executeTakeFirst()
    await until(async () => expect((await incident())?.due_at).toBe(NOON + 30_000))
    at.world.move(2 * HOUR_MS)
    // By what the clock was set, as far as that can be told on a busy machine.
    const offMs = async () => Math.abs(((await incident())?.due_at ?? 0) - (NOON + 2 * HOUR_MS + 30_000))
    await until(async () => expect(await offMs()).toBeLessThan(5_000))
    expect(at.world.sent).toEqual([])
  })

  it('[ALERT-02] a fact that nobody can read holds up none after it', async () => {
    await at.world.start()
    await at.db
      .insertInto('outbox')
      .values({
        at: 1,
        user_id: at.userId,
        subject_kind: 'stream',
        subject_id: 'x',
        fact: 'stream.failed',
        payload: '{',
      })
      .execute()
    await at.world.tell(at.userId, 'pagi', wasGivenUp(NOON))
    await until(async () => expect(await at.world.bell(at.userId)).toHaveLength(1))
  })

  it('[ALERT-01] tells schedules, plans, videos and room, each once', async () => {
    await at.world.start()
    const scheduled = { scheduleId: 's', title: 'Ngaji pagi', dueAt: NOON + HOUR_MS, reason: 'video-not-ready' }
    const schedule = { kind: 'schedule', id: 's', userId: at.userId } as const
    for (let time = 0; time < 2; time++) {
      await writeFacts(at.db, schedule, [{ at: NOON, fact: 'schedule.blocked', payload: scheduled }])
      await writeFacts(at.db, schedule, [
        { at: NOON, fact: 'schedule.missed', payload: { ...scheduled, reason: 'server-away' } },
      ])
      const workspace = { kind: 'workspace', id: at.userId, userId: at.userId } as const
      await writeFacts(at.db, workspace, [
        { at: NOON, fact: 'plan.ending', payload: { plan: 'starter', endsAt: NOON + 2 * 24 * HOUR_MS } },
        { at: NOON, fact: 'plan.ended', payload: { plan: 'starter', endsAt: NOON } },
        { at: NOON, fact: 'room.low', payload: { usedBytes: 19 * 1024 ** 3, roomBytes: 20 * 1024 ** 3 } },
      ])
    }
    await writeFacts(at.db, { kind: 'video', id: 'v', userId: at.userId }, [
      { at: NOON, fact: 'video.failed', payload: { filename: 'klip.mp4', reason: 'unreadable' } },
    ])
    await until(async () => expect(await at.world.bell(at.userId)).toHaveLength(6))
    const told = (await at.world.bell(at.userId)).map(({ title, path }) => `${title} -> ${path}`).toReversed()
    expect(told).toEqual([
      'Jadwal terancam tidak mulai: Ngaji pagi -> /fitur/jadwal',
      'Jadwal terlewat: Ngaji pagi -> /fitur/jadwal',
      'Paket Anda segera habis -> /profile/plan',
      'Paket Anda sudah habis -> /profile/plan',
      'Ruang penyimpanan hampir penuh -> /fitur/live',
      'Video gagal disiapkan: klip.mp4 -> /fitur/live',
    ])
  })

  it('[ALERT-02] each kind goes where it is wanted, and nowhere else', async () => {
    await at.world.addChannel(at.userId, 'discord', 'discord')
    await at.world.addChannel(at.userId, 'telegram', 'telegram')
    const other = await addUser(at.db)
    await at.world.addChannel(other, 'orang lain')
    const { kinds } = (await import('@siarin/contracts/alerts')).DEFAULT_ALERT_SETTINGS
    const off = { app: false, telegram: true, discord: false, push: false, email: false }
    await at.world.save(at.userId, { kinds: { ...kinds, 'stream.failed': off } })
    await at.world.start()
    await at.world.tell(at.userId, 'pagi', wasGivenUp(NOON))
    await until(() => expect(at.world.titlesTo('telegram')).toEqual(['Siaran gagal: Siaran pagi']))
    await settle()
    expect(at.world.sent).toHaveLength(1)
    expect(await at.world.bell(at.userId)).toEqual([])
  })

  it('[ALERT-03] quiet hours hold the rest back, let the important through, and end in one summary', async () => {
    const night = Date.parse('2026-11-16T23:00:00+07:00')
    at.world.set(night)
    await at.world.addChannel(at.userId, 'kanal')
    await at.world.save(at.userId, { quiet: { on: true, from: '22:00', to: '07:00' } })
    await at.world.start()
    await writeFacts(at.db, { kind: 'video', id: 'v', userId: at.userId }, [
      { at: night, fact: 'video.failed', payload: { filename: 'satu.mp4', reason: null } },
      { at: night, fact: 'video.failed', payload: { filename: 'dua.mp4', reason: null } },
    ])
    await at.world.tell(at.userId, 'pagi', wasGivenUp(night))
    await until(() => expect(at.world.titlesTo('kanal')).toEqual(['Siaran gagal: Siaran pagi']))
    at.world.set(Date.parse('2026-11-17T06:59:59+07:00'))
    await settle()
    expect(at.world.sent).toHaveLength(1)
    at.world.set(Date.parse('2026-11-17T07:00:00+07:00'))
    await until(() => expect(at.world.sent).toHaveLength(2))
    expect(at.world.sent[1]).toMatchObject({
      title: '2 notifikasi',
      text: '• Video gagal disiapkan: satu.mp4\n• Video gagal disiapkan: dua.mp4',
    })
    await until(async () => expect((await at.deliveries()).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']))
  })

  it('[ALERT-03] what is held about a broadcast goes before later news of it', async () => {
    const night = Date.parse('2026-11-16T23:00:00+07:00')
    at.world.set(night + 10 * MINUTE_MS)
    await at.world.addChannel(at.userId, 'kanal')
    await at.world.save(at.userId, { restartsPerHour: 1, quiet: { on: true, from: '22:00', to: '07:00' } })
    await at.world.start()
    const again = night + 10 * MINUTE_MS
    await at.world.tell(at.userId, 'pagi', wentOff(night), cameBack(night + 10_000, 10_000), wentOff(again))
    await until(async () => expect(await at.deliveries()).toHaveLength(1))
    await settle()
    expect(at.world.sent).toEqual([])
    at.world.set(again + MINUTE_MS)
    await until(() => expect(at.world.sent).toHaveLength(2))
    expect(at.world.titlesTo('kanal')).toEqual(['Siaran sering terputus: Siaran pagi', 'Siaran terputus: Siaran pagi'])
  })

  it('[ALERT-03] who was told at night that a broadcast is off air is told that night that it is back', async () => {
    const night = Date.parse('2026-11-16T23:00:00+07:00')
    at.world.set(night + 10 * MINUTE_MS)
    await at.world.addChannel(at.userId, 'kanal')
    await at.world.save(at.userId, { quiet: { on: true, from: '22:00', to: '07:00' } })
    await at.world.start()
    await at.world.tell(at.userId, 'pagi', ...wasAway(night))
    await until(() =>
      expect(at.world.titlesTo('kanal')).toEqual(['Siaran terputus: Siaran pagi', 'Tayang kembali: Siaran pagi']),
    )
  })

  it('[ALERT-03] quiet hours that are switched off let go at once', async () => {
    const night = Date.parse('2026-11-16T23:00:00+07:00')
    at.world.set(night)
    await at.world.addChannel(at.userId, 'kanal')
    await at.world.save(at.userId, { quiet: { on: true, from: '22:00', to: '07:00' } })
    await at.world.start()
    const video = { kind: 'video', id: 'v', userId: at.userId } as const
    await writeFacts(at.db, video, [{ at: night, fact: 'video.failed', payload: { filename: 'a.mp4', reason: null } }])
    await until(async () => expect(await at.deliveries()).toHaveLength(1))
    await settle()
    expect(at.world.sent).toEqual([])
    await at.world.save(at.userId, {})
    await until(() => expect(at.world.sent).toHaveLength(1))
  })

  it('[ALERT-02] sixty an hour to a channel, then one message with the rest', async () => {
    const id = await at.world.addChannel(at.userId, 'kanal')
    await at.world.start()
    for (let number = 0; number < 75; number++) await at.world.tell(at.userId, `s${number}`, wasGivenUp(NOON))
    await until(async () => expect(await at.deliveries()).toHaveLength(75))
    // Where the next hour came before anybody saw that this one was full, they would go one by one.
    await until(async () => expect((await at.channel(id)).is_crowded).toBe(1))
    await settle()
    expect(at.world.sent).toHaveLength(60)
    at.world.move(HOUR_MS)
    await until(() => expect(at.world.sent).toHaveLength(61))
    expect(at.world.sent[60]).toMatchObject({
      title: '15 notifikasi',
      text: expect.stringContaining('dan 5 lagi. Lihat semuanya di halaman notifikasi.'),
    })
    await at.world.tell(at.userId, 'akhir', wasGivenUp(NOON))
    await until(() => expect(at.world.sent).toHaveLength(62))
  })

  it('[ALERT-02] keeps at most a thousand in the list and two hundred for a channel that takes nothing', async () => {
    await at.world.addChannel(at.userId, 'kanal')
    at.world.answers.set('kanal', { kind: 'later', afterMs: null, answer: 'sedang sibuk' })
    // They lie there from before: what is told anew is more than either bound leaves room for.
    const before = Array.from({ length: 900 }, (_, number) => ({
      ...{ user_id: at.userId, kind: 'stream.failed', at: NOON - 1_000 + number, created_at: NOON, subject_id: 'lama' },
      ...{ topic: 'stream:lama', details: '{}', in_app: 1 },
    }))
    await at.db.insertInto('alerts').values(before).execute()
    await at.world.start()
    const facts = Array.from({ length: 300 }, (_, number) => wasGivenUp(NOON + number))
    await at.world.tell(at.userId, 'ramai', ...facts)
    const count = () =>
      at.db
        .selectFrom('alerts')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirst()
    await until(async () => expect((await at.world.bell(at.userId))[0]?.at).toBe(new Date(NOON + 299).toISOString()))
    expect(Number((await count())?.count)).toBe(1_000)
    const waiting = (await at.deliveries()).filter(({ state }) => state === 'waiting')
    expect(waiting).toHaveLength(200)
    const newest = await at.db.selectFrom('alerts').select('id').orderBy('id', 'desc').limit(200).execute()
    expect(waiting.map(({ alert_id }) => alert_id)).toEqual(newest.map(({ id }) => id).reverse())
  })

  it('[ALERT-02] two programs side by side send each message once, in order', async () => {
    const streams = Array.from({ length: 6 }, () => randomUUID())
    for (const stream of streams) await at.world.addChannel(at.userId, stream)
    await at.world.start()
    await at.world.start()
    at.world.move(10 * MINUTE_MS)
    for (const stream of streams) await at.world.tell(at.userId, stream, ...wasAway(NOON))
    await until(() => expect(at.world.sent).toHaveLength(72))
    await settle()
    expect(at.world.sent).toHaveLength(72)
    expect(new Set(at.world.sent.map(({ to, id }) => `${to} ${id}`)).size).toBe(72)
    for (const to of streams) {
      const told = at.world.sent.filter((message) => message.to === to)
      for (const stream of streams) {
        const kinds = told.filter(({ topic }) => topic === `stream:${stream}`).map(({ title }) => title.split(':')[0])
        expect(kinds).toEqual(['Siaran terputus', 'Tayang kembali'])
      }
    }
  })
})
