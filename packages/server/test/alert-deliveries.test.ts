import { describe, expect, it } from 'vitest'
import { alertSuite, HOUR_MS, MINUTE_MS, NOON, settle, until } from './support/alert-suite.ts'
import { alertWorld, sealed, wasAway, wasGivenUp, wentOff } from './support/alert-world.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'

describe.each(REPO_DATABASES)('messages on their way, on $name', ({ open }) => {
  const at = alertSuite(open)
  const states = async () => (await at.deliveries()).map(({ state }) => state)

  it('[ALERT-02] are tried again, later each time, and then go in order, with the same id', async () => {
    const id = await at.world.addChannel(at.userId, 'kanal')
    at.world.answers.set('kanal', { kind: 'later', afterMs: null, answer: 'sedang sibuk' })
    await at.world.start()
    at.world.move(10 * MINUTE_MS)
    await at.world.tell(at.userId, 'pagi', ...wasAway(NOON))
    const waits: number[] = []
    for (let tries = 0; tries < 4; tries++) {
      await until(async () => expect((await at.channel(id)).retry_at).toBeGreaterThan(at.world.clock.now()))
      const { retry_at, last_ok, last_answer } = await at.channel(id)
      expect({ last_ok, last_answer }).toEqual({ last_ok: 0, last_answer: 'sedang sibuk' })
      waits.push((retry_at ?? 0) - at.world.clock.now())
      at.world.set(retry_at ?? 0)
    }
    waits.forEach((wait, tries) => {
      expect(wait / (15_000 * 2 ** tries)).toBeGreaterThanOrEqual(0.89)
      expect(wait / (15_000 * 2 ** tries)).toBeLessThanOrEqual(1.11)
    })
    at.world.answers.delete('kanal')
    at.world.move(HOUR_MS)
    await until(() =>
      expect(at.world.titlesTo('kanal')).toEqual(['Siaran terputus: Siaran pagi', 'Tayang kembali: Siaran pagi']),
    )
    await until(async () => expect(await states()).toEqual(['sent', 'sent']))
    expect((await at.channel(id)).due_at).toBeNull()
  })

  it('[ALERT-02] wait as long as the other side asks for, within a bound', async () => {
    const id = await at.world.addChannel(at.userId, 'kanal')
    at.world.answers.set('kanal', { kind: 'later', afterMs: 90 * MINUTE_MS, answer: '429' })
    await at.world.start()
    await at.world.tell(at.userId, 'pagi', wasGivenUp(NOON))
    await until(async () => expect((await at.channel(id)).retry_at).toBe(NOON + 90 * MINUTE_MS))
    at.world.answers.set('kanal', { kind: 'later', afterMs: 10 ** 12, answer: '429' })
    at.world.move(90 * MINUTE_MS)
    await until(async () => expect((await at.channel(id)).retry_at).toBe(NOON + 90 * MINUTE_MS + 6 * HOUR_MS))
  })

  it('[ALERT-02] are given up after half a day, and those behind them go on', async () => {
    const id = await at.world.addChannel(at.userId, 'kanal')
    at.world.answers.set('kanal', 'throws')
    await at.world.start()
    await at.world.tell(at.userId, 'pagi', wasGivenUp(NOON))
    await until(async () => expect((await at.channel(id)).last_answer).toBe('Salurannya tidak bisa dihubungi.'))
    at.world.move(13 * HOUR_MS)
    await until(async () => expect(await states()).toEqual(['given-up']))
    at.world.answers.delete('kanal')
    await at.world.tell(at.userId, 'sore', wasGivenUp(NOON))
    at.world.move(HOUR_MS)
    await until(() => expect(at.world.titlesTo('kanal')).toEqual(['Siaran gagal: Siaran sore']))
  })

  it('[ALERT-02] go on after a fault of ours, also where their channel was claimed while it rested', async () => {
    const id = await at.world.addChannel(at.userId, 'kanal')
    const become = (destination_sealed: string) =>
      at.db.updateTable('alert_channels').set({ destination_sealed }).where('id', '=', id).execute()
    await become('nothing that can be opened')
    await at.world.start({ firstRetryMs: 300 })
    await at.world.tell(at.userId, 'pagi', wasGivenUp(NOON))
    await until(async () => expect((await at.channel(id)).claims).toBe(1))
    // Its claim is over, its rest is not.
    at.world.move(2 * MINUTE_MS)
    await until(async () => expect((await at.channel(id)).claims).toBe(2))
    await become(sealed('kanal'))
    await until(() => {
      at.world.move(2 * MINUTE_MS)
      expect(at.world.titlesTo('kanal')).toEqual(['Siaran gagal: Siaran pagi'])
    })
  })

  it('[ALERT-02] go on once there is room again, where a program was started on a full disk after a crash', async () => {
    const id = await at.world.addChannel(at.userId, 'kanal')
    at.world.answers.set('kanal', 'throws')
    const crashed = await at.world.start()
    await at.world.tell(at.userId, 'pagi', wasGivenUp(NOON))
    await until(async () => expect((await at.channel(id)).retry_at).not.toBeNull())
    await crashed.stop()
    const left = { claimed_until: NOON + 50_000, retry_at: null }
    await at.db.updateTable('alert_channels').set(left).where('id', '=', id).execute()

    let isFull = true
    const full = at.db.withPlugin({
      transformQuery({ node }) {
        if (isFull && node.kind !== 'SelectQueryNode') throw new Error('database or disk is full')
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const world = alertWorld(full, NOON)
    try {
      await world.start({ isAlone: true })
      isFull = false
      world.move(2 * MINUTE_MS)
      await until(() => expect(world.titlesTo('kanal')).toEqual(['Siaran gagal: Siaran pagi']))
    } finally {
      // Before the rows go: it would be in the way of that.
      await world.stopAll()
    }
  })

  it('[ALERT-02] to a channel that says nothing hold up no other', async () => {
    const others = [await addUser(at.db), await addUser(at.db), await addUser(at.db)]
    for (const [index, userId] of [...others, at.userId].entries()) {
      for (let number = 0; number < (userId === at.userId ? 3 : 8); number++) {
        await at.world.addChannel(userId, `diam ${index}-${number}`)
        at.world.answers.set(`diam ${index}-${number}`, 'silent')
      }
    }
    await at.world.addChannel(at.userId, 'kanal')
    await at.world.start({ sendMs: 2_000 })
    // Those of others wait already, more of them than are sent to at once.
    for (const userId of others) await at.world.tell(userId, 'lain', wasGivenUp(NOON))
    const claimed = at.db.selectFrom('alert_channels').select('user_id').where('claimed_until', 'is not', null)
    await until(async () => expect(await claimed.execute()).toHaveLength(12))
    const begun = performance.now()
    await at.world.tell(at.userId, 'pagi', wasGivenUp(NOON))
    await until(() => expect(at.world.titlesTo('kanal')).toHaveLength(1))
    expect(performance.now() - begun).toBeLessThan(2_000)
    await until(async () =>
      expect(
        (await at.db.selectFrom('alert_channels').select('last_answer').execute()).filter(
          ({ last_answer }) => last_answer === 'Tidak ada jawaban dalam 15 detik.',
        ),
      ).toHaveLength(27),
    )
  })

  it('[ALERT-02] go no more to a channel that is gone, which is said in the app, once', async () => {
    const id = await at.world.addChannel(at.userId, 'kanal')
    at.world.answers.set('kanal', { kind: 'gone', answer: 'Forbidden: bot was blocked by the user' })
    await at.world.start()
    await at.world.tell(at.userId, 'pagi', wasGivenUp(NOON))
    await at.world.tell(at.userId, 'sore', wasGivenUp(NOON))
    await until(async () => expect(await at.world.bell(at.userId)).toHaveLength(3))
    expect(await at.channel(id)).toMatchObject({ state: 'gone', due_at: null, last_ok: 0 })
    const said = (await at.world.bell(at.userId)).filter(({ kind }) => kind === 'channel.gone')
    expect(said).toHaveLength(1)
    expect(said[0]).toMatchObject({
      title: 'Saluran dimatikan: Saluran kanal',
      text: expect.stringContaining('Forbidden: bot was blocked by the user'),
      path: '/fitur/notifikasi',
    })
    await at.world.tell(at.userId, 'malam', wasGivenUp(NOON))
    await settle()
    expect(at.world.sent).toEqual([])
    expect(new Set(await states())).toEqual(new Set(['dropped']))
  })

  it('[ALERT-02] follow a channel that has moved, and drop what is refused', async () => {
    await at.world.addChannel(at.userId, 'lama')
    at.world.answers.set('lama', { kind: 'moved', destination: 'baru', answer: 'migrated' })
    await at.world.start()
    await at.world.tell(at.userId, 'pagi', wasGivenUp(NOON))
    await until(() => expect(at.world.titlesTo('baru')).toEqual(['Siaran gagal: Siaran pagi']))
    at.world.answers.set('baru', { kind: 'refused', answer: 'message is too long' })
    await at.world.tell(at.userId, 'sore', wasGivenUp(NOON))
    await until(async () => expect(await states()).toEqual(['sent', 'refused']))
  })

  it('[ALERT-02] are sent again under their id where a program ended before it knew', async () => {
    await at.world.addChannel(at.userId, 'kanal')
    at.world.answers.set('kanal', 'silent')
    const first = await at.world.start({ sendMs: 60_000 })
    await at.world.tell(at.userId, 'pagi', wasGivenUp(NOON))
    await until(async () => expect(await states()).toEqual(['waiting']))
    await settle()
    await first.stop()
    at.world.answers.delete('kanal')
    await at.world.start()
    await until(() => expect(at.world.sent).toHaveLength(1))
  })

  it('[ALERT-02] wait while the disk is full, and what is due by time alone too', async () => {
    const disk = { hasRoom: true }
    const id = await at.world.addChannel(at.userId, 'kanal')
    at.world.answers.set('kanal', { kind: 'later', afterMs: null, answer: 'nanti' })
    await at.world.start({ hasDiskRoom: () => disk.hasRoom })
    await at.world.tell(at.userId, 'pagi', wasGivenUp(NOON))
    await at.world.tell(at.userId, 'sore', wentOff(NOON))
    await until(async () => expect((await at.channel(id)).retry_at).not.toBeNull())
    await until(async () => expect(await at.db.selectFrom('alert_incidents').selectAll().execute()).toHaveLength(1))
    disk.hasRoom = false
    // A look that began while there was room ends first.
    await settle()
    at.world.answers.delete('kanal')
    const { claims } = await at.channel(id)
    at.world.move(HOUR_MS)
    await settle()
    expect((await at.channel(id)).claims).toBe(claims)
    expect(await at.deliveries()).toHaveLength(1)
    disk.hasRoom = true
    await until(() =>
      expect(at.world.titlesTo('kanal')).toEqual(['Siaran gagal: Siaran pagi', 'Siaran terputus: Siaran sore']),
    )
  })

  it('[ALERT-02] follow what was chosen, also beside quiet hours that an older version took and this one does not', async () => {
    await at.world.addChannel(at.userId, 'kanal')
    const chosen = { offAirMinutes: 7, quiet: { on: true, from: '00:00', to: '00:00' } }
    await at.db
      .insertInto('alert_settings')
      .values({ user_id: at.userId, settings: JSON.stringify(chosen), updated_at: NOON })
      .execute()
    await at.world.start()
    await at.world.tell(at.userId, 'pagi', wentOff(NOON))
    at.world.set(NOON + 6 * MINUTE_MS)
    await settle()
    expect(at.world.sent).toEqual([])
    at.world.set(NOON + 7 * MINUTE_MS)
    await until(() => expect(at.world.sent).toHaveLength(1))
  })

  it('[ALERT-02] outlive a clock that is set back', async () => {
    const id = await at.world.addChannel(at.userId, 'kanal')
    at.world.answers.set('kanal', { kind: 'later', afterMs: null, answer: 'nanti' })
    await at.world.start()
    await at.world.tell(at.userId, 'pagi', wasGivenUp(NOON))
    await until(async () => expect((await at.channel(id)).retry_at).not.toBeNull())
    at.world.answers.delete('kanal')
    at.world.move(-24 * HOUR_MS)
    await until(() => expect(at.world.sent).toHaveLength(1))
  })
})
