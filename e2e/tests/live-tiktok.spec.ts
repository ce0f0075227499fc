import type { Page } from '@playwright/test'
import { TIKTOK_TEXTS } from '@siarin/contracts/texts'
import type { StreamlabsAccount } from '@siarin/testkit/streamlabs-service'
import type { Account } from '../support/account.ts'
import { newName, openGo, PATIENT, stop, streams, tab } from '../support/broadcasts.ts'
import { expect, test } from '../support/fixtures.ts'
import { message, openLiveAs, openLiveWith } from '../support/live-screen.ts'
import { type Member, OWNED_VIDEO } from '../support/member.ts'
import { addByApi, newId } from '../support/online.ts'

const VIDEO = OWNED_VIDEO
const ACCOUNTS = [
  { platform: 'tiktok', account_id: 'akun-1', name: 'Toko Sari', credentials: { token: 'token-sari' } },
  { platform: 'tiktok', account_id: 'akun-2', name: 'Toko Budi', auth: 'token-budi' },
]

const answerAccounts = (page: Page, json: unknown, status = 200): Promise<unknown> =>
  page.route('**/fitur/tiktok/accounts', (route) => route.fulfill({ status, json }))

async function openGoAs(page: Page, owner: Member): Promise<void> {
  await openLiveAs(page, owner)
  await openGo(page, VIDEO)
}

const chooseTikTok = (page: Page) => page.getByLabel('Platform').selectOption({ label: 'TikTok' })

/** Someone on the Go tab with a video and two accounts that TikTok knows. */
async function openGoWithAccounts(page: Page, account: Account, file: string) {
  const user = await openLiveWith(page, account, [file])
  await openGo(page, VIDEO)
  const token = newId()
  await addByApi(page, user, 'tiktok', { name: 'Toko Sari', token: newId() })
  await addByApi(page, user, 'tiktok', { name: 'Toko Budi', token })
  return { user, token }
}

test('[LIVE-14] [ACC-07] TikTok loads its accounts, drops the key, asks for a target by account and title, and ends there with the stream', async ({
  page,
  account,
  clip,
  rtmp,
  streamlabs,
}) => {
  const { token } = await openGoWithAccounts(page, account, await clip(VIDEO, { seconds: 3 }))
  const name = newName()
  streamlabs.set(token, { rtmp: `${rtmp.url}/`, key: name })

  await page.getByLabel('RTMP/stream key').fill('kunci-youtube')
  const listed = page.waitForResponse('**/fitur/tiktok/accounts')
  await chooseTikTok(page)
  expect((await listed).request().headers()['authorization']).toMatch(/^Bearer \S+/)
  const accounts: { name: string; account_id: string; credentials: { token: string } }[] = (await (await listed).json())
    .data
  await expect(message(page)).toHaveText('Ditemukan akun tiktok 2.')
  await expect(page.getByLabel('Akun TikTok').getByRole('option')).toHaveText([
    'Pilih akun TikTok',
    ...accounts.map((one) => one.name),
  ])
  await page.getByLabel('Platform').selectOption({ label: 'YouTube' })
  await expect(page.getByLabel('RTMP/stream key')).toHaveValue('')

  await chooseTikTok(page)
  await page.getByLabel('Akun TikTok').selectOption({ label: 'Toko Budi' })
  await page.getByLabel('Judul live').fill('Diskon malam')
  const target = page.waitForRequest('**/fitur/steamlabs/start')
  const start = page.waitForRequest('**/fitur/steam/start')
  await page.getByRole('button', { name: 'Go Live' }).click()
  const chosen = accounts.find((one) => one.name === 'Toko Budi')
  // The page knows the masked token only; the account tells the server which it is.
  expect(chosen?.credentials.token).not.toContain(token)
  expect((await target).postDataJSON()).toEqual({
    token: chosen?.credentials.token,
    accountId: chosen?.account_id,
    title: 'Diskon malam',
  })
  expect((await start).postDataJSON()).toMatchObject({ platform: 'tiktok', rtmpStream: `${rtmp.url}/${name}` })
  await expect(message(page)).toHaveText('Siaran langsung dimulai!')
  await rtmp.waitForPublisher(name, { growing: true, ...PATIENT })
  expect(streamlabs.calls('start', token).map(({ fields }) => fields['title'])).toEqual(['Diskon malam'])

  await tab(page, 'Live').click()
  await stop(page, streams(page).first())
  await rtmp.waitForNoPublisher(name, PATIENT)
  await expect.poll(() => streamlabs.liveId(token)).toBeNull()
  expect(streamlabs.calls('end', token)).toHaveLength(1)
})

test('[ACC-07] a broadcast on TikTok outlives kill -9 of the server, and is ended there when it is stopped afterwards @long', async ({
  page,
  account,
  clip,
  rtmp,
  siarin,
  streamlabs,
}) => {
  const { token } = await openGoWithAccounts(page, account, await clip(VIDEO, { seconds: 3 }))
  const name = newName()
  streamlabs.set(token, { rtmp: rtmp.url, key: name })
  await chooseTikTok(page)
  await page.getByLabel('Akun TikTok').selectOption({ label: 'Toko Budi' })
  await page.getByRole('button', { name: 'Go Live' }).click()
  await rtmp.waitForPublisher(name, { growing: true, ...PATIENT })

  await siarin.kill9()
  await siarin.restart()
  await page.reload()
  await tab(page, 'Live').click()
  await expect(streams(page)).toHaveCount(1)
  await rtmp.waitForPublisher(name, { growing: true, ...PATIENT })
  expect(streamlabs.calls('end', token)).toEqual([])
  await stop(page, streams(page).first())
  await rtmp.waitForNoPublisher(name, PATIENT)
  await expect.poll(() => streamlabs.liveId(token)).toBeNull()
  expect(streamlabs.calls('end', token)).toHaveLength(1)
})

test('[LIVE-14] [ACC-07] each way in which TikTok refuses has its sentence @long', async ({
  page,
  account,
  clip,
  streamlabs,
}) => {
  const { token } = await openGoWithAccounts(page, account, await clip(VIDEO, { seconds: 3 }))
  await chooseTikTok(page)
  await page.getByLabel('Akun TikTok').selectOption({ label: 'Toko Budi' })
  const started: string[] = []
  page.on('request', (request) => request.url().endsWith('/fitur/steam/start') && started.push(request.url()))
  const refused = (status: number, error: string) => ({ status, json: { success: false, error } })
  const cases: [string, NonNullable<StreamlabsAccount['start']>][] = [
    [TIKTOK_TEXTS.tokenInvalid, refused(401, 'access_token_invalid')],
    [TIKTOK_TEXTS.banned, refused(422, 'Unprocessable')],
    [TIKTOK_TEXTS.noLiveAuth, refused(403, 'user_has_no_live_auth')],
    [TIKTOK_TEXTS.alreadyLive, refused(409, 'user_already_live')],
    [TIKTOK_TEXTS.rateLimited, refused(429, 'rate_limit_exceeded')],
    [TIKTOK_TEXTS.scopeMissing, refused(403, 'scope_not_authorized')],
    ['Gagal mendapatkan RTMP URL dari TikTok.', { html: true }],
    ['RTMP URL tidak ditemukan dalam respons.', { json: { id: '1' } }],
    ['Tidak ada respons dari server TikTok.', { status: 502, html: true }],
  ]
  for (const [text, start] of cases) {
    await test.step(text, async () => {
      streamlabs.set(token, { start })
      await page.getByRole('button', { name: 'Go Live' }).click()
      await expect(message(page)).toHaveText(`Error: ${text}`)
      await expect(message(page)).toHaveRole('alert')
    })
  }
  expect(started).toEqual([])
})

// From here on in the server's place: what ours never says, but the specification has words for.
test('[LIVE-14] [LIVE-21] an answer without a target, without words, or none at all has its text @long', async ({
  page,
  owner,
}) => {
  await openGoAs(page, owner)
  await answerAccounts(page, { success: true, message: '', data: ACCOUNTS })
  await chooseTikTok(page)
  await page.getByLabel('Akun TikTok').selectOption({ label: 'Toko Sari' })

  const started: string[] = []
  page.on('request', (request) => request.url().endsWith('/fitur/steam/start') && started.push(request.url()))
  const cases: [string, Parameters<Awaited<ReturnType<typeof answering>>>[0]][] = [
    ['Error: Token sudah tidak berlaku.', { json: { success: false, message: 'Token sudah tidak berlaku.' } }],
    ['Error: Akun dibekukan.', { status: 403, json: { success: false, message: 'Akun dibekukan.' } }],
    ['Error: Gagal mendapatkan RTMP URL dari TikTok.', { json: { success: false } }],
    ['Error: RTMP URL tidak ditemukan dalam respons.', { json: { success: true, message: 'ok', stream: {} } }],
    ['Error: Terjadi kesalahan saat mengambil RTMP akun.', { status: 500, body: '' }],
    ['Error: Gagal mengambil RTMP.', { body: '<html>', contentType: 'text/html' }],
    ['Error: Tidak ada respons dari server TikTok.', null],
  ]
  const answer = await answering(page)
  for (const [text, answered] of cases) {
    await test.step(text, async () => {
      answer(answered)
      await page.getByRole('button', { name: 'Go Live' }).click()
      await expect(message(page)).toHaveText(text)
      await expect(message(page)).toHaveRole('alert')
    })
  }
  expect(started).toEqual([])
})

type Fulfilled = NonNullable<Parameters<Parameters<Parameters<Page['route']>[1]>[0]['fulfill']>[0]>

/** Answers in TikTok's place; null: not at all. */
async function answering(page: Page): Promise<(next: Fulfilled | null) => void> {
  let now: Fulfilled | null = null
  await page.route('**/fitur/steamlabs/start', (route) => (now ? route.fulfill(now) : route.abort()))
  return (next) => {
    now = next
  }
}

test('[LIVE-14] a target is said to have been given before the broadcast starts @long', async ({ page, owner }) => {
  await openGoAs(page, owner)
  await answerAccounts(page, { success: true, message: '', data: ACCOUNTS })
  await page.route('**/fitur/steamlabs/start', (route) =>
    route.fulfill({ json: { success: true, message: '', stream: { rtmpSteam: 'rtmp://127.0.0.1:9/live/x' } } }),
  )
  await page.route('**/fitur/steam/start', () => {})
  await chooseTikTok(page)
  await page.getByLabel('Akun TikTok').selectOption({ label: 'Toko Sari' })
  await page.getByRole('button', { name: 'Go Live' }).click()
  await expect(message(page)).toHaveText('Get RTMP Berhasil.')
})

test('[LIVE-21] the accounts: none, no data, a refusal, a failure, and trying again @long', async ({ page, owner }) => {
  await openGoAs(page, owner)
  const cases: [string, string, unknown, number?][] = [
    ['none', 'Anda belum memasukan akun tiktok.', { success: true, message: '', data: [] }],
    ['no data', 'Tidak ada data akun saat ini.', { success: true, message: '' }],
    ['a word', 'Akun sedang dirawat.', { success: false, message: 'Akun sedang dirawat.' }, 503],
    ['refused', 'Gagal mengambil data akun.', { success: false }],
    ['failed', 'Terjadi kesalahan saat mengambil akun.', {}, 500],
  ]
  for (const [what, text, json, status] of cases) {
    await test.step(what, async () => {
      await page.unroute('**/fitur/tiktok/accounts')
      await answerAccounts(page, json, status)
      await page.getByLabel('Platform').selectOption({ label: 'YouTube' })
      await chooseTikTok(page)
      await expect(message(page)).toHaveText(text)
    })
  }
  await page.unroute('**/fitur/tiktok/accounts')
  await answerAccounts(page, { success: true, message: '', data: ACCOUNTS })
  await page.getByRole('button', { name: 'Muat ulang akun' }).click()
  await page.getByLabel('Akun TikTok').selectOption({ label: 'Toko Sari' })
})
