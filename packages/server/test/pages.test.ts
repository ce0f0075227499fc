import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PLANS } from '@siarin/contracts/plans'
import { unescapeHtml } from '@siarin/testkit/unescape-html'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProgram, type TestProgram } from './support/program.ts'

/** The worst that an operator can write; it means nothing bad and must do nothing bad. */
const BRAND = `A&B "Tayang" </title><script>x('1')`
const PUBLIC_URL = 'https://siaran.example'
const WEB_PUBLIC = join(import.meta.dirname, '..', '..', 'web', 'public')

let program: TestProgram
beforeAll(async () => {
  program = await startProgram({ BRAND_NAME: BRAND, PUBLIC_URL, TRIAL_DAYS: '12', WHATSAPP_NUMBER: '6281234567890' })
  const { status } = await fetch(`${program.url}/sitemap.xml`)
  if (status !== 200) throw new Error('These tests are about the built page: npm run build')
})
afterAll(() => program.close())

/** What a chat or a search engine reads of a page. */
function headOf(html: string) {
  const found = (pattern: RegExp): string | null => {
    const text = pattern.exec(html)?.[1]
    return text === undefined ? null : unescapeHtml(text)
  }
  const meta = (name: string) => found(new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`))
  return {
    title: found(/<title>([^<]*)<\/title>/),
    description: meta('description'),
    canonical: found(/<link rel="canonical" href="([^"]*)"/),
    robots: meta('robots'),
    ogTitle: meta('og:title'),
    ogDescription: meta('og:description'),
    ogUrl: meta('og:url'),
    ogImage: meta('og:image'),
    ogSize: `${meta('og:image:width')}x${meta('og:image:height')}`,
  }
}

const read = async (path: string, headers: Record<string, string> = { accept: '*/*' }) => {
  const response = await fetch(program.url + path, { headers, redirect: 'manual' })
  return { status: response.status, type: response.headers.get('content-type'), html: await response.text() }
}

const OPEN = {
  '/': ['Siaran langsung nonstop dari video Anda', 'home', 'Satu video, siaran yang tidak pernah tidur'],
  '/login': ['Login', 'login', 'Masuk untuk mengatur siaran Anda.'],
  '/register': ['Register', 'register', 'Sudah punya akun?'],
  '/documentation': ['Documentation', 'documentation', 'Bacaan pendek, dari siaran pertama'],
  '/documentation/siaran-pertama': ['Siaran pertama Anda', 'documentation-siaran-pertama', 'Di halaman ini'],
  '/documentation/menyiapkan-video': [
    'Menyiapkan video untuk diputar berminggu-minggu',
    'documentation-menyiapkan-video',
    'Di halaman ini',
  ],
  '/documentation/kunci-dan-platform': [
    'Stream key dan platform',
    'documentation-kunci-dan-platform',
    'Di halaman ini',
  ],
  '/documentation/api': ['Mengatur siaran lewat API', 'documentation-api', `${PUBLIC_URL}/fitur/video/upload`],
  '/documentation/webhook': ['Webhook: program Anda diberi tahu', 'documentation-webhook', 'webhook-signature'],
  '/documentation/captcha/text': ['Captcha Text', 'documentation-captcha-text', '<h1'],
  '/documentation/captcha/v3': ['Recaptcha V3', 'documentation-captcha-v3', '<div id="root"></div>'],
} as const

const CLOSED = [
  '/dashboard',
  '/fitur',
  '/fitur/live',
  '/fitur/siaran',
  '/fitur/analytics',
  '/fitur/analytics/laporan',
  '/fitur/account',
  '/fitur/jadwal',
  '/fitur/notifikasi',
  '/fitur/tutorial',
  '/profile',
  '/profile/plan',
]
const FROM_LETTERS = ['/forgot-password', '/reset-password', '/verify-email']

/** Width and height stand at a fixed place in a PNG. */
const sizeOfPng = (bytes: Buffer): string => `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`

describe('[META-09] an open page', () => {
  it.each(Object.entries(OPEN))('%s says what it is in its HTML', async (path, [title, picture, text]) => {
    const { status, type, html } = await read(path)
    expect([status, type]).toEqual([200, 'text/html; charset=utf-8'])
    expect(html).toContain(text)
    const head = headOf(html)
    expect(head).toMatchObject({
      title: `${BRAND} - ${title}`,
      canonical: PUBLIC_URL + path,
      robots: null,
      ogTitle: `${BRAND} - ${title}`,
      ogDescription: head.description,
      ogUrl: PUBLIC_URL + path,
      ogImage: `${PUBLIC_URL}/previews/${picture}.png`,
      ogSize: '1200x630',
    })
    expect(head.description).toMatch(/\w{3,}.*\.$/)
    const file = await readFile(join(WEB_PUBLIC, 'previews', `${picture}.png`))
    expect(sizeOfPng(file)).toBe('1200x630')
    expect(file.length).toBeLessThan(60_000)
    const served = await fetch(`${program.url}/previews/${picture}.png`)
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  it('has a description that no other has', async () => {
    const heads = await Promise.all(Object.keys(OPEN).map(async (path) => headOf((await read(path)).html)))
    expect(new Set(heads.map(({ description }) => description)).size).toBe(heads.length)
  })

  it('has brand, prices, trial and chat of this server', async () => {
    const { html } = await read('/')
    for (const { price } of PLANS.filter(({ price }) => price > 0)) {
      expect(html).toContain(`Rp ${new Intl.NumberFormat('id-ID').format(price)}`)
    }
    expect(html).toMatch(/Coba gratis <!-- -->12<!-- --> hari/)
    const brandInChat = encodeURIComponent(BRAND).replaceAll("'", '&#x27;')
    expect(html).toContain(`https://wa.me/6281234567890?text=Halo%20${brandInChat}%2C`)
    expect(html).toMatch(new RegExp(`© <!-- -->${new Date().getFullYear()}<!-- --> `))
    expect(html).not.toContain('⟦')
    expect((await read('/login')).html).toContain('Hubungi kami lewat WhatsApp.')
  })

  it('runs nothing that a brand says, and no script that stands in the page', async () => {
    for (const path of [...Object.keys(OPEN), '/dashboard', '/tidak-ada']) {
      const { html } = await read(path)
      const scripts = [...html.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes)
      for (const attributes of scripts) expect(attributes, path).toMatch(/ src="\/assets\/|type="application\/json"/)
      expect(html, path).not.toContain('</title><')
      expect(html, path).not.toMatch(/ on\w+="/)
    }
    const response = await fetch(program.url)
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';")
  })
})

describe('[META-09] a known address', () => {
  it.each(['*/*', 'text/html', 'application/json', 'image/png', 'nonsense', ''])(
    'is 200 to who accepts "%s"',
    async (accept) => {
      for (const path of ['/', '/login', '/documentation/api', '/dashboard', '/fitur/live', '/reset-password']) {
        const { status, type } = await read(path, { accept })
        expect([path, status, type]).toEqual([path, 200, 'text/html; charset=utf-8'])
      }
    },
  )

  it('that is not for strangers has its title, and asks not to be listed', async () => {
    for (const path of [...CLOSED, ...FROM_LETTERS]) {
      const { status, html } = await read(path)
      const { title, description, robots, canonical } = headOf(html)
      expect([path, status, robots, canonical]).toEqual([path, 200, 'noindex', null])
      expect(title).toMatch(/ - \w+/)
      expect(description).toMatch(/\w+/)
    }
    expect(headOf((await read('/dashboard')).html).title).toBe(`${BRAND} - Dashboard`)
  })

  it('[STAT-03] may have an id in it: a browser gets the page of any, a program that mistakes a call is told so', async () => {
    const path = '/fitur/analytics/satu-siaran'
    const { status, html } = await read(path, { accept: 'text/html' })
    expect([status, headOf(html).title, headOf(html).robots]).toEqual([200, `${BRAND} - Riwayat siaran`, 'noindex'])
    const call = await read(path, { accept: 'application/json' })
    expect([call.status, call.type]).toEqual([404, 'application/json'])
    expect((await read(`${path}/lagi`, { accept: 'text/html' })).status).toBe(404)
  })

  it('answers a HEAD as it does a GET', async () => {
    const response = await fetch(`${program.url}/login`, { method: 'HEAD', headers: { accept: '*/*' } })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })
})

describe('[META-06] an unknown address', () => {
  it.each(['/tidak-ada', '/documentation/captcha', '/login/x', '/index.html', '/pages/login.html'])(
    '%s is 404 with the page that says so',
    async (path) => {
      const { status, html } = await read(path, { accept: 'text/html' })
      expect(status).toBe(404)
      expect(html).toContain('Page Not Found')
      expect(headOf(html)).toMatchObject({ robots: 'noindex', canonical: null })
    },
  )

  it('is 404 and JSON for a program', async () => {
    const { status, type, html } = await read('/fitur/tidak-ada', { accept: 'application/json' })
    expect([status, type]).toEqual([404, expect.stringContaining('application/json')])
    expect(JSON.parse(html)).toMatchObject({ success: false, code: 'not_found' })
  })
})

describe('[META-09] beside the pages', () => {
  it('robots are told what there is', async () => {
    const robots = await read('/robots.txt')
    expect([robots.status, robots.type]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(robots.html).toMatch(/^User-agent: \*\n/)
    expect(robots.html).toContain(`\nSitemap: ${PUBLIC_URL}/sitemap.xml\n`)
    const sitemap = await read('/sitemap.xml')
    expect(sitemap.type).toBe('application/xml; charset=utf-8')
    const listed = [...sitemap.html.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address)
    expect(listed.sort()).toEqual(
      Object.keys(OPEN)
        .map((path) => PUBLIC_URL + path)
        .sort(),
    )
  })

  it('a phone gets what it needs to install the page', async () => {
    const { type, html } = await read('/manifest.webmanifest')
    expect(type).toBe('application/manifest+json; charset=utf-8')
    const manifest = JSON.parse(html)
    expect(manifest).toMatchObject({ name: BRAND, start_url: '/dashboard', display: 'standalone', lang: 'id' })
    const icons: { src: string; sizes: string; purpose: string }[] = manifest.icons
    expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual(
      expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']),
    )
    for (const { src, sizes } of icons) {
      const icon = await fetch(program.url + src)
      expect(icon.headers.get('content-type')).toBe('image/png')
      expect(sizeOfPng(Buffer.from(await icon.arrayBuffer()))).toBe(sizes)
    }
    expect((await read('/')).html).toContain('<link rel="manifest" href="/manifest.webmanifest"')
  })
})
