import { chromium, request } from '@playwright/test'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { createAccount } from '../support/account.ts'
import { cachedClip } from '../support/clip-cache.ts'
import { readFileSync } from 'node:fs'
const out = '/tmp/dev/shots'
const s = await startSiarin()
try {
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
const thumbFile = process.argv[2]
const base = { duration: 125, createdAt: '2026-11-14T12:30:00.000Z', status: 'ready', step: null, progress: null, secondsLeft: null, reason: null, warning: null, width: 1920, height: 1080, fps: 30, videoCodec: 'h264', audioCodec: 'aac', hasThumbnail: true }
const names = ['liburan di Bali.mp4','ngaji malam Jumat bersama ustadz yang namanya sangat panjang sekali sampai tidak muat di satu baris layar.mp4','🎉🎂 ulang tahun 👨‍👩‍👧‍👦.mov','فيديو العطلة في بالي مع العائلة والأصدقاء الأعزاء جدا 2026.mp4','שלום.mp4','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.mp4']
const list = [
 { ...base, filename: 'promo toko.mkv', size: 734003200, status: 'processing', step: 'preparing', progress: 43, secondsLeft: 95, hasThumbnail: true },
 { ...base, filename: 'dari-alamat.mp4', size: 0, duration: null, status: 'processing', step: 'importing', progress: 12, hasThumbnail: false, width: null, fps: null, videoCodec: null },
 { ...base, filename: 'rusak.avi', size: 12345678, status: 'failed', reason: 'Video ini gagal disiapkan untuk siaran. Coba proses ulang, atau upload dengan format lain.', hasThumbnail: false },
 { ...base, filename: 'baru.webm', size: 12345678, status: 'processing', step: 'checking', hasThumbnail: false },
 ...names.map((filename, i) => ({ ...base, filename, size: 123456789 * (i + 1), warning: i === 1 ? 'File ini terpotong; bagian yang masih terbaca tetap bisa disiarkan.' : null })),
 ...Array.from({ length: 190 }, (_, i) => ({ ...base, filename: `video nomor ${i}.mp4`, size: 5000000 * i })),
].map((v, i) => ({ ...v, createdAt: new Date(Date.UTC(2026, 10, 14, 12) - i * 3600_000).toISOString() }))
for (const [w, h] of [[1366, 768], [390, 844]] as const) for (const scheme of ['light', 'dark'] as const) {
  const touch = w < 500
  const context = await browser.newContext({ baseURL: s.url, viewport: { width: w, height: h }, colorScheme: scheme, locale: 'id-ID', timezoneId: 'Asia/Jakarta', hasTouch: touch, isMobile: touch, deviceScaleFactor: touch ? 2 : 1 })
  const page = await context.newPage()
  page.on('pageerror', (e) => console.log('PAGEERROR', e.message)); page.on('console', (m) => m.type() === 'error' && console.log('CONSOLE', m.text()))
  const account = createAccount(context.request)
  await account.login(page, await account.register())
  await page.route(/\/fitur\/video\?/, (r) => r.fulfill({ json: { success: true, message: '', data: list, storage: { used: 9.4 * 1024 ** 3 | 0, limit: 10 * 1024 ** 3 } } }))
  await page.route(/thumbnail/, (r) => r.fulfill({ body: readFileSync(thumbFile), contentType: 'image/jpeg' }))
  await page.goto('/fitur/live')
  await page.getByText('promo toko').waitFor()
  await page.waitForTimeout(500)
  const shot = (n: string, full = false) => page.screenshot({ path: `${out}/${w}-${scheme}-${n}.png`, fullPage: full })
  await shot('list', touch)
  await page.getByRole('button', { name: /promo toko/ }).first().click()
  await page.getByRole('list', { name: 'Video lokal' }).evaluate((e) => e.scrollTo(0, 330))
  await page.waitForTimeout(300)
  await shot('list2', touch)
  await page.getByRole('button', { name: 'Ambil dari alamat' }).click()
  await page.getByLabel('Alamat video').fill('ftp://contoh')
  await page.getByRole('button', { name: 'Ambil video' }).click()
  await page.waitForTimeout(300)
  await shot('import')
  await page.keyboard.press('Escape')
  console.log(w, scheme, 'hscroll', await page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
  // upload states with a throttled tus answered by stub
  let patches = 0
  await page.route(/\/fitur\/video\/tus/, (r) => {
    const m = r.request().method()
    if (m === 'POST') return r.fulfill({ status: 201, headers: { Location: '/fitur/video/tus/x', 'Tus-Resumable': '1.0.0' } })
    if (m === 'HEAD') return r.fulfill({ status: 200, headers: { 'Upload-Offset': String(30e6), 'Upload-Length': String(80e6), 'Tus-Resumable': '1.0.0' } })
    if (m === 'PATCH' && patches++ > 0) return r.abort()
    return new Promise(() => {})
  })
  if (process.env.UP !== '0') {
  const cdp = await context.newCDPSession(page)
  await page.getByLabel('File video').setInputFiles(process.argv[3])
  await page.waitForTimeout(2500)
  await page.locator('section[aria-label="Upload video"]').scrollIntoViewIfNeeded()
  await shot('upload')
  }
  await context.close()
}
await browser.close()
} finally { await s.dispose() }
