import { type MailServer, startMailServer } from '@siarin/testkit/mail-server'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stepAt, totpAt } from '../src/modules/identity/totp.ts'
import { hashToken } from '../src/platform/secrets/tokens.ts'
import { DATABASES, startProgramOn, type TestDatabases } from './support/databases.ts'
import { mailSettings, PUBLIC_URL } from './support/mail.ts'
import { operatorAt } from './support/operator.ts'
import { bearer, call, fromAddress, newUser, type Reply, randomAddress, type TestProgram } from './support/program.ts'

const NEW_PASSWORD = 'lebih-rahasia'
const ENDED = { status: 410, body: { code: 'link_ended' } }
const MINUTE_MS = 60_000

describe.each(DATABASES)('e-mail on $name', ({ open }) => {
  let program: TestProgram
  let mail: MailServer
  let settings: Record<string, string>

  beforeAll(async () => {
    mail = await startMailServer()
    const remembering = async (): Promise<TestDatabases> => {
      const databases = await open()
      return { ...databases, settings: async () => (settings = await databases.settings()) }
    }
    program = await startProgramOn(remembering, mailSettings(mail.url))
  })
  afterAll(async () => {
    await program.close()
    await mail.stop()
  })

  const post = (path: string, body: object | undefined, headers: Record<string, string> = {}) =>
    call(program.url, 'POST', path, { ...(body && { body }), headers: { ...fromAddress(randomAddress()), ...headers } })

  const mailTo = (email: string, subject: string) =>
    waitFor(`'${subject}' for ${email}`, async () =>
      mail.mails.findLast((each) => each.to === email && each.subject.startsWith(subject)),
    )
  const tokenIn = (text: string, path: string): string => {
    const [, token] = new RegExp(`${PUBLIC_URL}/${path}#(ml_[\\w-]{43})`).exec(text) ?? []
    if (!token) throw new Error(`no link to ${path} in: ${text}`)
    return token
  }

  const cookieOf = ({ headers }: Reply): string => (headers.get('set-cookie') ?? '').split(';')[0] ?? ''

  async function register() {
    const user = newUser()
    expect((await post('/auth/register', user)).status).toBe(200)
    const login = (password = user.password, headers = {}) =>
      post('/auth/login', { email: user.email, password }, headers)
    const entered = (await login()).body
    const profile = async () =>
      (await call(program.url, 'GET', '/auth/profile', { headers: bearer(entered.token) })).body.data
    return { ...user, login, profile, token: entered.token as string, apiKey: entered.user.apiKey as string }
  }

  it('verifies an address by a link, once; until then everything can be used', async () => {
    const person = await register()
    expect(await person.profile()).toMatchObject({ emailVerified: false })
    const { text } = await mailTo(person.email, 'Pastikan alamat email Anda')
    expect(text).not.toContain(person.username)
    const token = tokenIn(text, 'verify-email')
    expect(await post('/auth/reset', { token, newPassword: NEW_PASSWORD })).toMatchObject(ENDED)
    expect((await post('/auth/verify', { token })).status).toBe(200)
    expect(await person.profile()).toMatchObject({ emailVerified: true })
    expect(await post('/auth/verify', { token })).toMatchObject(ENDED)
    expect(await program.dump()).not.toContain(token)
    expect(program.logged()).not.toContain(token)
  })

  it('sends a verification again, and the one before counts no more', async () => {
    const person = await register()
    const first = tokenIn((await mailTo(person.email, 'Pastikan')).text, 'verify-email')
    expect((await post('/auth/verify/resend', undefined, bearer(person.token))).status).toBe(200)
    const again = await waitFor('another link', async () => {
      const token = tokenIn((await mailTo(person.email, 'Pastikan')).text, 'verify-email')
      return token === first ? null : token
    })
    expect(await post('/auth/verify', { token: first })).toMatchObject(ENDED)
    expect((await post('/auth/verify', { token: again })).status).toBe(200)
    for (let more = 0; more < 2; more++) await post('/auth/verify/resend', undefined, bearer(person.token))
    expect((await post('/auth/verify/resend', undefined, bearer(person.token))).status).toBe(429)
  })

  it('[SAFE-07] many accounts with spellings of one address do not fill its mailbox, and its owner has another way', async () => {
    const { email, password } = newUser()
    const [name = ''] = email.split('@')
    const spelled = (number: number) => `${name.slice(0, 3)}.${name.slice(3)}+${number}@gmail.com`
    for (let number = 0; number < 12; number++) {
      const user = { username: `${name}-${number}`, email: spelled(number), password }
      expect((await post('/auth/register', user)).status).toBe(200)
    }
    const { token } = (await post('/auth/login', { email: spelled(11), password })).body
    expect(await post('/auth/verify/resend', undefined, bearer(token))).toMatchObject({
      status: 429,
      body: { code: 'rate_limited' },
    })
    await post('/auth/forgot', { email: spelled(11) })
    await mailTo(spelled(11), 'Buat password baru')
    const verified = () =>
      mail.mails.filter(({ to, subject }) => to.includes('+') && subject.startsWith('Pastikan')).map(({ to }) => to)
    await waitFor('ten verifications', async () => verified().length >= 10)
    // What had been asked for before is sent by then.
    await mailTo((await register()).email, 'Pastikan')
    expect(verified().sort()).toEqual(Array.from({ length: 10 }, (_, number) => spelled(number)))
  })

  it("[SAFE-02] 'Lupa password?': a link, once, for 30 minutes, which ends every session and renews the key", async () => {
    const person = await register()
    const answer = await post('/auth/forgot', { email: person.email.toUpperCase() })
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    const letter = await mailTo(person.email, 'Buat password baru')
    const token = tokenIn(letter.text, 'reset-password')
    expect(await post('/auth/verify', { token })).toMatchObject(ENDED)
    expect(await post('/auth/reset', { token, newPassword: 'password' })).toMatchObject({
      status: 400,
      body: { code: 'password_too_common' },
    })
    // Two at once with one link: one of them changes it.
    const tries = await Promise.all(
      [NEW_PASSWORD, `${NEW_PASSWORD}-2`].map((newPassword) => post('/auth/reset', { token, newPassword })),
    )
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 410])
    const chosen = tries[0]?.status === 200 ? NEW_PASSWORD : `${NEW_PASSWORD}-2`
    expect(await post('/auth/reset', { token, newPassword: NEW_PASSWORD })).toMatchObject(ENDED)
    const old = await call(program.url, 'GET', '/auth/profile', { headers: bearer(person.token) })
    expect(old).toMatchObject({ status: 401, body: { code: 'session_ended' } })
    const listed = await call(program.url, 'GET', '/fitur/video', { headers: { 'x-api-key': person.apiKey } })
    expect(listed.status).toBe(401)
    expect((await person.login()).status).toBe(401)
    const again = await person.login(chosen)
    expect(again.status).toBe(200)
    const { body } = await call(program.url, 'GET', '/auth/profile', { headers: bearer(again.body.token) })
    // Who opened the mail has the mailbox.
    expect(body.data.emailVerified).toBe(true)
    await mailTo(person.email, 'Password Anda diganti')
    expect(await program.dump()).not.toContain(token)
    expect(program.logged()).not.toContain(token)

    await post('/auth/forgot', { email: person.email }, { cookie: cookieOf(again) })
    const later = await waitFor('another link', async () => {
      const found = tokenIn((await mailTo(person.email, 'Buat password baru')).text, 'reset-password')
      return found === token ? null : found
    })
    program.clock.move(30 * MINUTE_MS)
    expect(await post('/auth/reset', { token: later, newPassword: NEW_PASSWORD })).toMatchObject(ENDED)
    // The operator's command goes by the clock of the machine.
    program.clock.move(-30 * MINUTE_MS)
  })

  it('answers the same whether an address has an account, and sends nothing where it has none', async () => {
    const person = await register()
    const stranger = newUser().email
    const [known, unknown] = [
      await post('/auth/forgot', { email: person.email }),
      await post('/auth/forgot', { email: stranger }),
    ]
    expect(unknown.body).toEqual(known.body)
    expect(unknown.status).toBe(known.status)
    await mailTo(person.email, 'Buat password baru')
    expect(mail.mails.filter(({ to }) => to === stranger)).toEqual([])
  })

  it('[SAFE-02] strangers who ask for links neither fill the mailbox nor keep its owner from a link that is there or from another', async () => {
    const person = await register()
    const links = () =>
      mail.mails
        .filter(({ to, subject }) => to === person.email && subject.startsWith('Buat password baru'))
        .map(({ text }) => tokenIn(text, 'reset-password'))
    const cookie = cookieOf(await person.login())
    for (let more = 0; more < 5; more++) expect((await post('/auth/forgot', { email: person.email })).status).toBe(200)
    await waitFor('a link', async () => links().length > 0)
    expect((await post('/auth/forgot', { email: person.email }, { cookie })).status).toBe(200)
    await waitFor('another one for the owner', async () => links().length > 1)
    await post('/auth/forgot', { email: person.email })
    const [first, second, ...more] = links()
    expect(more).toEqual([])
    const reset = await post('/auth/reset', { token: first, newPassword: NEW_PASSWORD })
    expect(reset.status).toBe(200)
    // Where the link was used the owner is no stranger at the next login.
    const [, device = ''] = cookieOf(reset).split('=')
    const known = program.db.selectFrom('known_devices').select('id').where('token_hash', '=', hashToken(device))
    expect(await known.execute()).toHaveLength(1)
    expect(await post('/auth/reset', { token: second, newPassword: 'punya-orang-lain' })).toMatchObject(ENDED)
    const address = randomAddress()
    const asked = async () => (await post('/auth/forgot', { email: newUser().email }, fromAddress(address))).status
    for (let tries = 0; tries < 20; tries++) expect(await asked()).toBe(200)
    expect(await asked()).toBe(429)
  })

  it('[SAFE-02] tells nobody of logins whose mailbox is not shown to be theirs: anybody could have registered with it', async () => {
    const person = await register()
    await person.login(person.password, { 'user-agent': 'Peramban Asing/9.1' })
    const change = { currentPassword: person.password, newPassword: NEW_PASSWORD }
    expect((await post('/auth/profile/password', change, bearer(person.token))).status).toBe(200)
    // Sent after what would have been sent before.
    await post('/auth/forgot', { email: person.email })
    await mailTo(person.email, 'Buat password baru')
    const subjects = mail.mails.filter(({ to }) => to === person.email).map(({ subject }) => subject)
    expect(subjects.some((subject) => /^(Login|Password)/.test(subject))).toBe(false)
  })

  it('[SAFE-02] whoever registered an address that is not theirs keeps its owner out by nothing', async () => {
    const squatter = await register()
    const { secret } = (await post('/auth/second-factor', undefined, bearer(squatter.token))).body.data
    const code = totpAt(secret, stepAt(program.clock.now()))
    expect((await post('/auth/second-factor/confirm', { code }, bearer(squatter.token))).status).toBe(200)
    await post('/auth/forgot', { email: squatter.email })
    const token = tokenIn((await mailTo(squatter.email, 'Buat password baru')).text, 'reset-password')
    expect((await post('/auth/reset', { token, newPassword: NEW_PASSWORD })).status).toBe(200)
    expect((await squatter.login(NEW_PASSWORD)).status).toBe(200)
  })

  it('[SAFE-02] a link for a new password ends with any other new password', async () => {
    const person = await register()
    await post('/auth/forgot', { email: person.email })
    const asked = tokenIn((await mailTo(person.email, 'Buat password baru')).text, 'reset-password')
    const change = { currentPassword: person.password, newPassword: NEW_PASSWORD }
    expect((await post('/auth/profile/password', change, bearer(person.token))).status).toBe(200)
    expect(await post('/auth/reset', { token: asked, newPassword: 'punya-orang-lain' })).toMatchObject(ENDED)

    const operator = operatorAt({ DATA_DIR: program.dataDir, PUBLIC_URL, ...settings })
    const { link } = await operator.json('user', 'reset-link', person.email)
    await operator.json('user', 'reset-password', person.email)
    const given = { token: tokenIn(link, 'reset-password'), newPassword: 'punya-orang-lain' }
    expect(await post('/auth/reset', given)).toMatchObject(ENDED)
  })

  it('tells of a new device, a changed password and a second factor, and of nothing that is usual', async () => {
    const person = await register()
    await post('/auth/verify', { token: tokenIn((await mailTo(person.email, 'Pastikan')).text, 'verify-email') })
    const first = await person.login(person.password, { 'user-agent': 'Firefox/9 (Windows) Buka https://evil.example' })
    const { text } = await mailTo(person.email, 'Login dari perangkat baru')
    // Its own words would come from us.
    expect(text).toContain('Perangkat: Firefox di Windows\r\n')
    const count = () =>
      mail.mails.filter(({ to, subject }) => to === person.email && subject.startsWith('Login')).length
    const before = count()
    // The same browser comes back.
    await person.login(person.password, { cookie: cookieOf(first) })
    const change = { currentPassword: person.password, newPassword: NEW_PASSWORD }
    const { token } = (await post('/auth/profile/password', change, bearer(person.token))).body
    // Sent after what would have been sent at the login.
    await mailTo(person.email, 'Password Anda diganti')
    expect(count()).toBe(before)
    const { secret } = (await post('/auth/second-factor', undefined, bearer(token))).body.data
    const code = totpAt(secret, stepAt(program.clock.now()))
    expect((await post('/auth/second-factor/confirm', { code }, bearer(token))).status).toBe(200)
    await mailTo(person.email, 'Verifikasi dua langkah diaktifkan')
  })

  it('is tried again while the mail server refuses, and holds up nobody', async () => {
    const person = await register()
    mail.refuse(true)
    const before = mail.refused
    const asked = await post('/auth/forgot', { email: person.email })
    expect(asked.status).toBe(200)
    expect((await person.login()).status).toBe(200)
    await waitFor('a refusal', async () => mail.refused > before)
    mail.refuse(false)
    await mailTo(person.email, 'Buat password baru')
    expect(program.logged()).not.toMatch(/ml_[\w-]{43}/)
  })

  it("the operator's command makes a link, with and without a mail server", async () => {
    const person = await register()
    const operator = operatorAt({ DATA_DIR: program.dataDir, PUBLIC_URL, ...settings })
    const { link, minutes } = await operator.json('user', 'reset-link', person.email)
    expect(minutes).toBe(30)
    const token = tokenIn(link, 'reset-password')
    expect((await post('/auth/reset', { token, newPassword: NEW_PASSWORD })).status).toBe(200)
    const { body } = await person.login(NEW_PASSWORD)
    const profile = await call(program.url, 'GET', '/auth/profile', { headers: bearer(body.token) })
    // It came from the operator: whose mailbox it is nobody knows.
    expect(profile.body.data.emailVerified).toBe(false)
    expect((await program.activityOf(person.email)).map(({ kind }) => kind)).toContain('reset-link-made')
  })
})
