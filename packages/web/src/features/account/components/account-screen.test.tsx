import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { type App, openApp } from '../../../testing/app.tsx'
import {
  answerButton,
  button,
  field,
  findButton,
  holdClock,
  message,
  runFor,
  tab,
  untilSaid,
} from '../../../testing/screen.ts'

const RINA = { platform: 'bigo', account_id: 'a1', name: 'Panggung Rina', credentials: { siteId: '784512' } }
const NONE = 'No accounts found. Add one to get started.'

const credential = (): HTMLInputElement => field(/^(Id Bigo|Token TikTok)$/)
const name = (): HTMLInputElement => field('Account Name')
const addButton = (): HTMLButtonElement => button('Add Account')
const rows = (): HTMLElement[] => within(screen.getByRole('list', { name: 'Akun Bigo' })).getAllByRole('listitem')

async function openAccounts(): Promise<App> {
  const app = await openApp('/fitur/account')
  await findButton('Add Account')
  return app
}

async function add({ user, fill }: App, id: string, title: string): Promise<void> {
  await user.click(tab('Add Account'))
  await fill(credential(), id)
  await fill(name(), title)
  await user.click(addButton())
}

describe('the Add tab', () => {
  it('[ACC-01] has its fields, and its button waits for both of them', async () => {
    const { server, user, fill } = await openAccounts()
    for (const each of ['Bigo', 'TikTok']) tab(each)
    screen.getByRole('tab', { name: 'Add Account', selected: true })
    const options = within(field('Platform')).getAllByRole('option')
    expect(options.map(({ textContent }) => textContent)).toEqual(['Bigo', 'TikTok'])
    field('Id Bigo')
    await user.selectOptions(field('Platform'), 'TikTok')
    field('Token TikTok')
    expect(screen.queryByLabelText('Id Bigo')).toBeNull()

    expect(addButton().disabled).toBe(true)
    await fill(credential(), 'slobs-9f8e7d6c')
    expect(addButton().disabled).toBe(true)
    await fill(name(), '   ')
    expect(addButton().disabled).toBe(true)
    await fill(name(), 'Toko Kopi')
    expect(addButton().disabled).toBe(false)

    const { promise, resolve: answer } = Promise.withResolvers<{ json: object }>()
    server.on('POST /fitur/tiktok/add', () => promise)
    await user.click(addButton())
    await waitFor(() => expect(addButton().disabled).toBe(true))
    within(addButton()).getByTestId('spinner')
    answer({ json: { success: true, message: 'Akun berhasil ditambahkan.' } })
    await untilSaid('Akun berhasil ditambahkan.')
    expect(server.calls.at(-1)).toMatchObject({ body: { token: 'slobs-9f8e7d6c', name: 'Toko Kopi' } })
  })

  it.each([
    ['Gagal menambahkan akun.', { json: { success: false } }],
    ['Bigo sedang tutup.', { json: { success: false, message: 'Bigo sedang tutup.' } }],
    ['Terjadi kesalahan saat menambahkan akun.', 'unreachable'],
  ] as const)('[ACC-03] says when nothing was added: %s', async (text, answer) => {
    const app = await openAccounts()
    app.server.on('POST /fitur/bigo/add', answer)
    await add(app, '99', 'Lain')
    await untilSaid(text, 'alert')
    expect(name().value).toBe('Lain')
  })
})

describe('a list of accounts', () => {
  it.each([
    ['Gagal menghapus akun.', { json: { success: false } }],
    ['Terjadi kesalahan saat menghapus akun.', 'unreachable'],
  ] as const)('[ACC-03] says when nothing was deleted: %s', async (text, answer) => {
    const { server, user } = await openAccounts()
    server.on('GET /fitur/bigo/accounts', { json: { success: true, data: [RINA] } })
    server.on('DELETE /fitur/bigo/a1', answer)
    await user.click(tab('Bigo'))
    await user.click(await findButton('Hapus Panggung Rina'))
    await user.click(await answerButton('Hapus'))
    await untilSaid(text, 'alert')
    expect(rows()).toHaveLength(1)
  })

  it.each([
    ['Gagal mengambil data akun.', { json: { success: false } }],
    ['Terjadi kesalahan saat mengambil akun.', 'unreachable'],
  ] as const)('[ACC-03] that cannot be had says so and can be asked for again: %s', async (text, answer) => {
    const { server, user } = await openAccounts()
    server.on('GET /fitur/tiktok/accounts', answer)
    await user.click(tab('TikTok'))
    await untilSaid(text, 'alert')
    within(screen.getByRole('tabpanel')).getByText(text)

    server.restore('GET /fitur/tiktok/accounts')
    await user.click(button('Coba lagi'))
    await screen.findByText(NONE)
    await user.click(addButton())
    screen.getByRole('tab', { name: 'Add Account', selected: true })
  })

  it('[ACC-05] drops entries without platform, id, name or auth, and says when there is no list at all', async () => {
    const { server, user } = await openAccounts()
    const { platform: _p, ...noPlatform } = { ...RINA, name: 'Tanpa platform' }
    const { account_id: _i, ...noId } = { ...RINA, name: 'Tanpa id' }
    const { name: _n, ...noName } = RINA
    const { credentials: _c, ...noAuth } = { ...RINA, name: 'Tanpa auth' }
    const data = [noPlatform, RINA, noId, noName, noAuth, { ...RINA, credentials: {} }, { ...RINA, account_id: 'a2' }]
    server.on('GET /fitur/bigo/accounts', { json: { success: true, data } })
    await user.click(tab('Bigo'))
    await screen.findByText('2 akun')
    expect(rows().map(({ textContent }) => textContent)).toEqual(Array(2).fill('PPanggung Rina784512'))

    server.on('GET /fitur/tiktok/accounts', { json: { success: true, message: 'ok' } })
    await user.click(tab('TikTok'))
    await untilSaid('Tidak ada data akun saat ini.')
    screen.getByText(NONE)
  })
})

describe('a message', () => {
  it('[ACC-03] stays 3 s, and one that takes its place has its own 3 s', async () => {
    const { user } = await openAccounts()
    holdClock()
    await user.click(tab('Bigo'))
    await untilSaid('Anda belum memasukan akun bigo.')
    await runFor(2000)
    await user.click(tab('TikTok'))
    await untilSaid('Anda belum memasukan akun tiktok.')
    await runFor(2800)
    expect(message().textContent).toBe('Anda belum memasukan akun tiktok.')
    await runFor(300)
    expect(message().textContent).toBe('')
  })
})
