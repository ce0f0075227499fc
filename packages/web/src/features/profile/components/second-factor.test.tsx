// Loaded when it is needed: a test does not wait for it.
import './second-factor-setup.tsx'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { type App, openApp } from '../../../testing/app.tsx'
import { USER } from '../../../testing/default-answers.ts'
import { answerButton, findButton } from '../../../testing/screen.ts'

const PATH = 'POST /auth/second-factor'
const SECRET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const URI = `otpauth://totp/Siarin:rina%40gmail.com?secret=${SECRET}&issuer=Siarin`
const CODES = Array.from({ length: 10 }, (_, index) => `abcd${index}-fghi${index}`)

async function begin(): Promise<App> {
  const app = await openApp('/profile', {
    server: ({ on }) => {
      on(PATH, { json: { success: true, message: '', data: { secret: SECRET, uri: URI } } })
      on(`${PATH}/confirm`, { json: { success: true, message: '', data: { recoveryCodes: CODES } } })
    },
  })
  await app.user.click(await findButton('Aktifkan'))
  await screen.findByRole('dialog')
  return app
}

const dialog = () => within(screen.getByRole('dialog'))

describe('the key of a second factor', () => {
  it('is read in halves, copied whole, and opened in the app of the same phone', async () => {
    const { user } = await begin()
    const copied = vi.spyOn(navigator.clipboard, 'writeText')
    const key = screen.getByRole('dialog').querySelector('code')
    expect([...(key?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
      'ABCD EFGH IJKL MNOP',
      'QRST UVWX YZ23 4567',
    ])
    expect(key?.textContent).toBe('ABCD EFGH IJKL MNOP QRST UVWX YZ23 4567')
    await user.click(dialog().getByRole('button', { name: 'Salin kunci' }))
    await dialog().findByText('Kunci tersalin')
    expect(copied).toHaveBeenLastCalledWith(SECRET)
    expect(dialog().getByText('Buka di aplikasi').closest('a')?.getAttribute('href')).toBe(URI)
  })

  it('has the rim of four modules around its picture that cameras need', async () => {
    await begin()
    const svg = decodeURIComponent(
      dialog()
        .getByAltText(/Kode QR/)
        .getAttribute('src') ?? '',
    )
    const [, width] = /viewBox="0 0 (\d+) \d+"/.exec(svg) ?? []
    const dark = [...svg.matchAll(/M(\d+),(\d+)/g)].map(([, x]) => Number(x))
    const module = 8
    expect(Math.min(...dark)).toBe(4 * module)
    expect(Number(width) - Math.max(...dark)).toBe(5 * module)
  })
})

describe('recovery codes', () => {
  it('are kept with the service, the account and the day they are for', async () => {
    const { user, fill } = await begin()
    const copied = vi.spyOn(navigator.clipboard, 'writeText')
    const file = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:codes')
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    await fill(dialog().getByLabelText('Kode verifikasi'), '123456')
    await user.click(dialog().getByRole('button', { name: 'Aktifkan' }))
    await dialog().findByText('abcd9-fghi9')
    await user.click(dialog().getByRole('button', { name: 'Copy' }))
    await waitFor(() => expect(copied).toHaveBeenCalled())
    const [text = ''] = copied.mock.lastCall ?? []
    expect(text).toContain('Kode pemulihan Siarin')
    expect(text).toContain(`Akun: ${USER.email}`)
    expect(text).toContain(`Layanan: ${location.origin}`)
    expect(text).toMatch(/Dibuat: \d{1,2} \S+ 20\d\d \d\d\.\d\d WIB/)
    expect(text.split('\n').filter((line) => CODES.includes(line))).toEqual(CODES)

    await user.click(dialog().getByRole('button', { name: 'Unduh' }))
    const [blob] = file.mock.lastCall ?? []
    expect(blob instanceof Blob ? await blob.text() : '').toBe(text)
    const [link] = saved.mock.contexts
    expect((link as HTMLAnchorElement).download).toMatch(/^kode-pemulihan-siarin-20\d\d-\d\d-\d\d\.txt$/)
  })
})

describe('new recovery codes', () => {
  it('are made with the password and a code, and shown until they are kept', async () => {
    const RENEW = `${PATH}/codes`
    const on = { json: { success: true, message: '', data: { enabled: true, recoveryCodesLeft: 2 } } }
    const { server, user, fill } = await openApp('/profile', {
      server: (fake) => {
        fake.on('GET /auth/second-factor', on)
        fake.on(RENEW, {
          status: 401,
          json: { success: false, message: 'Kode ini salah.', code: 'second_factor_wrong' },
        })
      },
    })
    await screen.findByText(/tersisa 2 dari 10\. Buat sepuluh kode baru/)
    await user.click(await findButton('Buat kode pemulihan baru'))
    await fill(dialog().getByLabelText('Password'), 'rahasia')
    await fill(dialog().getByLabelText('Kode verifikasi'), '123456')
    const make = (): Promise<void> => user.click(dialog().getByRole('button', { name: 'Buat kode baru' }))
    await make()
    expect((await dialog().findByRole('alert')).textContent).toBe('Kode ini salah.')

    server.on(RENEW, { json: { success: true, message: '', data: { recoveryCodes: CODES } } })
    await make()
    await screen.findByRole('dialog', { name: 'Kode pemulihan baru' })
    expect(
      dialog()
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(CODES)
    expect(server.calls.findLast(({ route }) => route === RENEW)?.body).toEqual({ password: 'rahasia', code: '123456' })
    await user.keyboard('{Escape}')
    await user.click(await answerButton('Kembali'))
    await user.click(await findButton('Sudah saya simpan'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
