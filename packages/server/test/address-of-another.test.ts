import { randomUUID } from 'node:crypto'
import { type MailServer, startMailServer } from '@siarin/testkit/mail-server'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stepAt, totpAt } from '../src/modules/identity/totp.ts'
import { createLibraryRepo } from '../src/modules/library/library.repo.ts'
import { DATABASES, startProgramOn } from './support/databases.ts'
import { mailSettings, PUBLIC_URL } from './support/mail.ts'
import { bearer, call, fromAddress, newUser, randomAddress, type TestProgram } from './support/program.ts'
import { dailyAt, scheduleCalls } from './support/schedules.ts'

const NEW_PASSWORD = 'lebih-rahasia'
const PAUSED = /1 webhook, 1 saluran notifikasi, dan 1 jadwal kami jeda/

describe.each(DATABASES)('[SEC-14] an account that somebody made with the address of another, on $name', ({ open }) => {
  let program: TestProgram
  let mail: MailServer

  beforeAll(async () => {
    mail = await startMailServer()
    program = await startProgramOn(open, mailSettings(mail.url), {})
  })
  afterAll(async () => {
    await program.close()
    await mail.stop()
  })

  const post = (path: string, body: object, headers: Record<string, string> = fromAddress(randomAddress())) =>
    call(program.url, 'POST', path, { body, headers })
  const letterTo = (email: string, subject: string) =>
    waitFor(`'${subject}' for ${email}`, async () =>
      mail.mails.findLast((each) => each.to === email && each.subject.startsWith(subject)),
    )
  async function linkTo(email: string, subject: string): Promise<string> {
    const { text } = await letterTo(email, subject)
    return new RegExp(`${PUBLIC_URL}/[\\w-]+#(ml_[\\w-]{43})`).exec(text)?.[1] ?? ''
  }

  /** With something of each kind that acts or tells by itself, and a target. */
  async function someone() {
    const user = newUser()
    const headers = fromAddress(randomAddress())
    await post('/auth/register', user, headers)
    const login = await post('/auth/login', user, headers)
    const { apiKey } = login.body.user
    const own = bearer(login.body.token)
    const { id } = await program.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', user.email)
      .executeTakeFirstOrThrow()
    const hook = { url: 'http://127.0.0.1:1/siapa-saja', events: ['stream.live'] }
    const webhook = (await post('/fitur/webhook', hook, own)).body.data
    const target = { name: 'Kanal', platform: 'lain', address: 'rtmp://127.0.0.1/live', key: 'kunci-penyusup' }
    expect((await post('/fitur/target', target, own)).status).toBe(200)
    await program.db
      .insertInto('alert_channels')
      .values({
        ...{
          id: randomUUID(),
          user_id: id,
          kind: 'discord',
          name: 'Grup',
          hint: '',
          destination_sealed: '',
          state: 'on',
        },
        ...{ created_at: 1, last_at: null, last_ok: null, last_answer: null, due_at: null, retry_at: null },
        ...{ claimed_until: null, hour_from: null },
      })
      .execute()
    await createLibraryRepo(program.db).insert({
      ...{ id: randomUUID(), user_id: id, filename: 'klip.mp4', status: 'ready', original_bytes: 1, master_bytes: 0 },
      ...{ content_type: 'video/mp4', created_at: Date.now() },
    })
    const schedules = scheduleCalls(program, apiKey)
    const schedule = (await schedules.create(dailyAt(Date.now() + 3_600_000))).body.data
    const found = async () => {
      const [hooks, channels, plans, coming] = await Promise.all([
        program.db.selectFrom('webhook_endpoints').select('state').where('id', '=', webhook.id).execute(),
        program.db.selectFrom('alert_channels').select('state').where('user_id', '=', id).execute(),
        program.db.selectFrom('schedules').select('paused_at').where('id', '=', schedule.id).execute(),
        schedules.rowsOf(schedule.id),
      ])
      return {
        webhook: hooks[0]?.state,
        channel: channels[0]?.state,
        schedule: plans[0]?.paused_at === null ? 'active' : 'paused',
        dues: coming.filter(({ state }) => state === 'due').length > 0,
      }
    }
    return { ...user, id, apiKey, headers, own, cookie: login.headers.get('set-cookie') ?? '', found }
  }

  async function reset(email: string) {
    await post('/auth/forgot', { email })
    return post('/auth/reset', { token: await linkTo(email, 'Buat password baru'), newPassword: NEW_PASSWORD })
  }

  const verify = async (email: string, headers?: Record<string, string>) =>
    expect((await post('/auth/verify', { token: await linkTo(email, 'Pastikan') }, headers)).status).toBe(200)

  async function addSecondFactor(headers: Record<string, string>) {
    const { secret } = (await call(program.url, 'POST', '/auth/second-factor', { headers })).body.data
    const code = totpAt(secret, stepAt(program.clock.now()))
    expect((await post('/auth/second-factor/confirm', { code }, headers)).status).toBe(200)
  }

  const ACTIVE = { webhook: 'active', channel: 'on', schedule: 'active', dues: true }
  const RESTING = { webhook: 'paused', channel: 'off', schedule: 'paused', dues: false }

  /** All in the moment of the reset; what was planned of the schedule is taken away a little later. */
  async function rests({ found }: Awaited<ReturnType<typeof someone>>): Promise<void> {
    expect({ ...(await found()), dues: false }).toEqual(RESTING)
    await waitFor('what was planned to go', async () => !(await found()).dues)
  }

  it('does nothing by itself any more once its owner has come by the mailbox, who reads what there was', async () => {
    const squatter = await someone()
    expect(await squatter.found()).toEqual(ACTIVE)
    expect((await reset(squatter.email)).body.message).toMatch(PAUSED)
    await rests(squatter)

    for (const headers of [squatter.own, { 'x-api-key': squatter.apiKey }])
      expect((await call(program.url, 'GET', '/fitur/target', { headers })).status).toBe(401)
    const login = await post('/auth/login', { email: squatter.email, password: NEW_PASSWORD })
    const owner = bearer(login.body.token)
    const { data: told } = (await call(program.url, 'GET', '/fitur/alert', { headers: owner })).body
    expect(told).toEqual([
      expect.objectContaining({ title: 'Periksa yang ada sebelum password baru', text: expect.stringMatching(PAUSED) }),
    ])
    expect(told[0].text).toContain('1 tujuan siaran')
    expect((await letterTo(squatter.email, 'Password Anda diganti')).text).toMatch(PAUSED)
    // Nothing is lost: it may have been the owner all along, who never verified the address.
    expect((await call(program.url, 'GET', '/fitur/target', { headers: owner })).body.data).toHaveLength(1)
  })

  it('is no more the owner’s for a link that the owner opened elsewhere, not knowing what it was for', async () => {
    const squatter = await someone()
    await verify(squatter.email)
    expect(await squatter.found()).toEqual(ACTIVE)
    expect((await reset(squatter.email)).body.message).toMatch(PAUSED)
    await rests(squatter)
  })

  it('is no more the owner’s for a link that was opened behind the network address of who made it', async () => {
    const squatter = await someone()
    await verify(squatter.email, squatter.headers)
    expect((await reset(squatter.email)).body.message).toMatch(PAUSED)
    await rests(squatter)
  })

  it('opens to its owner without the second factor of another, also where the address was verified before', async () => {
    const squatter = await someone()
    await verify(squatter.email)
    await addSecondFactor(squatter.own)
    expect((await reset(squatter.email)).status).toBe(200)
    const { body } = await post('/auth/login', { email: squatter.email, password: NEW_PASSWORD })
    expect(body).toMatchObject({ token: expect.any(String) })
    const status = await call(program.url, 'GET', '/auth/second-factor', { headers: bearer(body.token) })
    expect(status.body.data).toEqual({ enabled: false, recoveryCodesLeft: 0 })
  })

  it.each(['browser', 'session'] as const)(
    'is another matter than one whose owner verified it in their own %s: a forgotten password pauses nothing',
    async (by) => {
      const owner = await someone()
      const [cookie = ''] = owner.cookie.split(';')
      const { authorization = '' } = owner.own
      const elsewhere = fromAddress(randomAddress())
      await verify(owner.email, by === 'browser' ? { ...elsewhere, cookie } : { ...elsewhere, authorization })
      await addSecondFactor(owner.own)
      expect((await reset(owner.email)).body.message).not.toMatch(PAUSED)
      expect(await owner.found()).toEqual(ACTIVE)
      // The mailbox alone does not open it.
      const { body } = await post('/auth/login', { email: owner.email, password: NEW_PASSWORD })
      expect(body).toMatchObject({ challenge: expect.any(String) })
    },
  )

  it('stays a stranger’s for a session of some other account', async () => {
    const [squatter, owner] = [await someone(), await someone()]
    await verify(squatter.email, owner.own)
    expect((await reset(squatter.email)).body.message).toMatch(PAUSED)
  })

  it('tells nothing of a pause where there was nothing to pause', async () => {
    const user = newUser()
    await post('/auth/register', user)
    expect((await reset(user.email)).body.message).toBe(
      'Password baru Anda sudah berlaku. Semua perangkat dikeluarkan, dan API key Anda ikut diganti.',
    )
    const login = await post('/auth/login', { email: user.email, password: NEW_PASSWORD })
    expect((await call(program.url, 'GET', '/fitur/alert', { headers: bearer(login.body.token) })).body.data).toEqual(
      [],
    )
  })
})
