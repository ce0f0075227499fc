import { AUTH_TEXTS } from '@siarin/contracts/texts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { getSession } from '../../../lib/session.ts'
import { type App, openApp } from '../../../testing/app.tsx'
import { PROFILE, TOKEN, USER } from '../../../testing/default-answers.ts'
import { answerButton, button, field, findButton, holdClock, runFor } from '../../../testing/screen.ts'

const REGENERATE = 'POST /auth/profile/apikey'

const copyButton = (): HTMLElement => button(/^Cop(y|ied!)$/)
const regenerate = (): HTMLButtonElement => button(/^Regenerat(e API Key|ing\.\.\.)$/)

async function openProfile(): Promise<App> {
  const app = await openApp('/profile')
  await screen.findByTestId('avatar')
  return app
}

async function changeKey({ user }: App): Promise<void> {
  await user.click(regenerate())
  await user.click(await answerButton('Ganti kunci'))
}

describe('an address that is not verified', () => {
  const SENDS_MAIL = { settings: { sendsMail: true } }

  it('can be sent its link again from here: other pages lead here for it', async () => {
    const { server, user } = await openApp('/profile', SENDS_MAIL)
    server.on('POST /auth/verify/resend', { json: { success: true, message: 'Cek email Anda.' } })
    const strip = await screen.findByRole('complementary', { name: 'Verifikasi email' })
    await user.click(within(strip).getByRole('button', { name: 'Kirim lagi' }))
    await screen.findByText('Cek email Anda.')
  })

  it('is not asked for once it is verified', async () => {
    const verified = { json: { ...PROFILE, data: { ...PROFILE.data, emailVerified: true } } }
    await openApp('/profile', { ...SENDS_MAIL, server: ({ on }) => on('GET /auth/profile', verified) })
    await screen.findByTestId('avatar')
    expect(screen.queryByRole('complementary', { name: 'Verifikasi email' })).toBeNull()
  })
})

describe('the API key', () => {
  it('asks for the code where only the server knows that it takes one', async () => {
    const app = await openProfile()
    const refusal = { success: false, code: 'second_factor_needed', message: 'Masukkan kode.' }
    app.server.on(REGENERATE, { status: 403, json: refusal })
    await changeKey(app)
    const code = await screen.findByRole('textbox', { name: 'Kode verifikasi' })
    app.server.on(REGENERATE, { json: { success: true, message: 'A new key is in use.', apiKey: 'new-key' } })
    await app.fill(code, '123456')
    await app.user.click(await findButton('Lanjutkan'))
    await screen.findByText('API Key Updated')
    expect(getSession().user?.apiKey).toBe('new-key')
  })

  it('[PROF-02] says for 2 s that it was copied', async () => {
    const { user } = await openProfile()
    const copied = vi.spyOn(navigator.clipboard, 'writeText')
    holdClock()
    await user.click(copyButton())
    await waitFor(() => screen.getByText('Copied!'), { interval: 5 })
    expect(copied).toHaveBeenLastCalledWith(USER.apiKey)
    await runFor(1900)
    screen.getByText('Copied!')
    await runFor(200)
    expect(screen.queryByText('Copied!')).toBeNull()
  })

  it("[PROF-02] [PROF-03] is shown and kept when it is new, its toast stays 1.5 s, and so does 'Copied!'", async () => {
    const app = await openProfile()
    const copied = vi.spyOn(navigator.clipboard, 'writeText')
    const { promise, resolve: answer } = Promise.withResolvers<{ json: object }>()
    app.server.on(REGENERATE, () => promise)
    await app.user.click(regenerate())
    await app.user.click(await answerButton('Batal'))
    expect(app.server.asked(REGENERATE)).toBe(0)

    holdClock()
    await changeKey(app)
    await waitFor(() => expect(regenerate().textContent).toBe('Regenerating...'))
    expect(regenerate().disabled).toBe(true)
    answer({ json: { success: true, message: 'A new key is in use.', apiKey: 'new-key' } })
    const toast = (): HTMLElement | null => screen.queryByText('API Key Updated')
    await waitFor(() => expect(toast()).not.toBeNull(), { interval: 5 })
    screen.getByText('A new key is in use.')
    const removed = (): string | null | undefined => toast()?.closest('[data-removed]')?.getAttribute('data-removed')
    await runFor(1450)
    expect(removed()).toBe('false')
    await runFor(50)
    expect(removed()).toBe('true')
    // It slides out for a moment.
    await runFor(1000)
    expect(toast()).toBeNull()

    expect(regenerate().textContent).toBe('Regenerate API Key')
    expect(field('API Key').value).toBe('new-key')
    expect(getSession().user?.apiKey).toBe('new-key')
    await app.user.click(copyButton())
    await waitFor(() => screen.getByText('Copied!'), { interval: 5 })
    expect(copied).toHaveBeenLastCalledWith('new-key')
    await runFor(1400)
    screen.getByText('Copied!')
    await runFor(200)
    expect(screen.queryByText('Copied!')).toBeNull()
  })

  it.each([
    ['Server sedang diperbarui.', { status: 503, json: { success: false, message: 'Server sedang diperbarui.' } }],
    ['Unable to update API key. Please try again.', { status: 500, json: {} }],
  ])('[PROF-03] that could not be changed is told so: %s', async (text, answer) => {
    const app = await openProfile()
    app.server.on(REGENERATE, answer)
    await changeKey(app)
    await screen.findByRole('heading', { name: 'Failed to Update API Key' })
    expect(screen.getByRole('alertdialog').textContent).toContain(text)
    await app.user.click(await answerButton('OK'))
    expect(field('API Key').value).toBe(USER.apiKey)
  })
})

describe('[SAFE-02] the API key in a browser that is not known', () => {
  const CONFIRM = 'POST /auth/confirm'

  it('stays hidden until the password was typed, and what was kept of it is kept', async () => {
    const hidden = { ...PROFILE, data: { ...PROFILE.data, apiKey: '', apiKeyHidden: true } }
    const app = await openApp('/profile', { server: ({ on }) => on('GET /auth/profile', { json: hidden }) })
    await screen.findByTestId('avatar')
    expect(field('API Key').value).toMatch(/^•+$/)
    expect(getSession().user?.apiKey).toBe(USER.apiKey)

    await app.user.click(button('Tampilkan API key'))
    await app.fill(await screen.findByLabelText('Password'), 'rahasia')
    app.server.on(CONFIRM, { json: { success: true, message: '' } })
    app.server.restore('GET /auth/profile')
    await app.user.click(await findButton('Lanjutkan'))
    await waitFor(() => expect(field('API Key').value).toBe(USER.apiKey))
    expect(field('API Key').type).toBe('textarea')
    const confirmed = app.server.calls.find(({ route }) => route === CONFIRM)
    expect(confirmed?.body).toEqual({ password: 'rahasia', trust: false })
  })

  it('is renewed once the password was typed; who does not want to changes nothing', async () => {
    const app = await openProfile()
    const needed = { status: 403, json: { success: false, message: 'Ketik password.', code: 'password_needed' } }
    app.server.on(REGENERATE, needed)
    await changeKey(app)
    await app.user.click(await findButton('Batal'))
    expect((await screen.findByRole('alertdialog')).textContent).toContain('Ketik password.')
    await app.user.click(await answerButton('OK'))
    expect(app.server.asked(REGENERATE)).toBe(1)

    await changeKey(app)
    await app.fill(await screen.findByLabelText('Password'), 'rahasia')
    app.server.on(CONFIRM, { json: { success: true, message: '' } })
    app.server.on(REGENERATE, { json: { success: true, message: 'Baru.', apiKey: 'new-key' } })
    await app.user.click(await findButton('Lanjutkan'))
    await waitFor(() => expect(field('API Key').value).toBe('new-key'))
  })
})

describe('a new password', () => {
  it('is refused in the language of its dialog, and told once, with the new key to be read whole', async () => {
    const app = await openProfile()
    const change = 'POST /auth/profile/password'
    const wrong = { success: false, message: AUTH_TEXTS.currentPasswordWrong, code: 'wrong_credentials' }
    app.server.on(change, { status: 401, json: wrong })
    await app.user.click(await findButton('Ganti password'))
    const dialog = within(screen.getByRole('dialog'))
    await app.fill(dialog.getByLabelText('Password sekarang'), 'bukan-ini')
    await app.fill(dialog.getByLabelText('Password baru'), 'kuda baterai staples')
    await app.user.click(dialog.getByRole('button', { name: 'Ganti password' }))
    const refusal = await dialog.findByRole('alert')
    expect(refusal.textContent).toBe('Password ini salah. Ketik password Anda yang sekarang.')

    const done = { success: true, message: AUTH_TEXTS.passwordChanged, apiKey: 'new-key', token: 'new-token' }
    app.server.on(change, { json: done })
    await app.user.click(dialog.getByRole('button', { name: 'Ganti password' }))
    await screen.findByRole('dialog', { name: 'Password sudah diganti' })
    const key = field('API key baru')
    expect([key.tagName, key.value]).toEqual(['TEXTAREA', 'new-key'])
    expect(screen.queryByText('Password Updated')).toBeNull()
    expect(screen.queryByText(AUTH_TEXTS.passwordChanged)).toBeNull()
  })
})

describe('the facts', () => {
  it('[PROF-01] has credits written the Indonesian way', async () => {
    const rich = { ...PROFILE, data: { ...PROFILE.data, credit: 1_234_567 } }
    await openApp('/profile', { server: ({ on }) => on('GET /auth/profile', { json: rich }) })
    await screen.findByText('Rp 1.234.567')
  })
})

describe('a profile that cannot be had', () => {
  it.each([
    ['No profile data returned from server.', { json: { success: true } }],
    ['Failed to load profile data. Please try again.', { status: 502, text: 'Bad Gateway' }],
    ['Server sedang sibuk.', { status: 500, json: { success: false, message: 'Server sedang sibuk.' } }],
    ['Please login first.', { status: 401, json: { success: false, message: 'Please login first.' } }],
    ['Token expired', { status: 403, json: { success: false, message: 'Token expired' } }],
  ])(
    "[PROF-04] [AUTH-10] says why without ending the session, and 'Try Again' asks once more: %s",
    async (text, answer) => {
      const { server, user } = await openApp('/profile', { server: ({ on }) => on('GET /auth/profile', answer) })
      expect((await screen.findByRole('alert')).textContent).toContain(text)
      expect(screen.queryByText('Session Ended')).toBeNull()
      expect(localStorage.getItem('token')).toBe(TOKEN)
      server.restore('GET /auth/profile')
      await user.click(await findButton('Try Again'))
      await screen.findByTestId('avatar')
    },
  )
})
