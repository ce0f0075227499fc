import type { Locator, Page } from '@playwright/test'
import { PLANS } from '@siarin/contracts/plans'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { expect, test } from '../support/fixtures.ts'
import { codeIsHere } from '../support/page-facts.ts'

test.use({ firstVisit: true })

const WHATSAPP_NUMBER = '6281234567890'
const BRAND = 'Ruang <b>Tayang</b>'

const section = (page: Page, id: string): Locator => page.locator(`#${id}`)
const plan = (page: Page, name: string): Locator => page.getByRole('article', { name, exact: true })
const broadcast = (page: Page): Locator => page.getByTestId('broadcast')

/** How the page asks the browser to scroll; how many steps that takes is the machine's affair. */
async function watchScrolling(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(`
    window.ways = []
    const scroll = Element.prototype.scrollIntoView
    Element.prototype.scrollIntoView = function (options) {
      window.ways.push(options.behavior)
      scroll.call(this, options)
    }
  `)
  return () => page.evaluate('window.ways')
}

test('[LAND-01] [LAND-03] the page shows all its sections, one plan highlighted, former prices struck out, and one answer of the FAQ at a time', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  await test.step('the sections', async () => {
    for (const id of ['features', 'pricing', 'testimonials', 'statistics', 'steps', 'faq']) {
      await expect(section(page, id).getByRole('heading', { level: 2 })).toBeVisible()
    }
    await expect(page.getByRole('region', { name: /begadang/ })).toBeVisible()
  })

  await test.step('former prices', async () => {
    const former = section(page, 'pricing').locator('s')
    await expect(former).toHaveText(['Rp 75.000', 'Rp 150.000', 'Rp 225.000'])
    for (const price of await former.all()) await expect(price).toHaveCSS('text-decoration-line', 'line-through')
  })

  await test.step('only the popular plan is highlighted', async () => {
    const border = (name: string): Promise<string> =>
      plan(page, name).evaluate((card) => {
        const look = (globalThis as unknown as { getComputedStyle(of: unknown): { borderColor: string } })
          .getComputedStyle
        return look(card).borderColor
      })
    const quiet = await border('Starter')
    expect(await border('Free Trial')).toBe(quiet)
    expect(await border('Business')).toBe(quiet)
    expect(await border('Creator Pro')).not.toBe(quiet)
  })

  await test.step('one answer of the FAQ is open at a time, by mouse and by keyboard', async () => {
    const entries = section(page, 'faq').locator('details')
    const open = section(page, 'faq').locator('details[open]')
    await expect(open).toHaveCount(1)
    await entries.nth(3).locator('summary').click()
    await expect(open).toHaveCount(1)
    await expect(entries.nth(3).locator('p')).toBeVisible()
    await expect(entries.nth(0).locator('p')).toBeHidden()

    await entries.nth(4).locator('summary').focus()
    await page.keyboard.press('Enter')
    await expect(entries.nth(4).locator('p')).toBeVisible()
    await expect(open).toHaveCount(1)
  })
})

test("[LAND-02] 'Lihat Paket & Harga' scrolls smoothly to the plans, the buttons of hero and final call lead to Register", async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/')
  const link = page.getByRole('link', { name: 'Lihat Paket & Harga' })
  await expect(link).toHaveAttribute('href', '#pricing')
  // Without the page's code the browser jumps there.
  await codeIsHere(page)
  const ways = await watchScrolling(page)
  await link.click()
  await expect(page).toHaveURL('/#pricing')
  await expect(page.getByRole('heading', { name: 'Paket & harga' })).toBeInViewport()
  await expect(section(page, 'pricing')).toBeFocused()
  expect(await ways()).toEqual(['smooth'])

  for (const name of [/^Coba gratis/, 'Mulai siaran pertama']) {
    await page.goto('/')
    await page.getByRole('link', { name }).click()
    await expect(page).toHaveURL('/register')
  }
})

test('[LAND-01] [LAND-02] who prefers less motion sees the broadcast of the hero stand still, with all three on air, and is taken to the plans at once', async ({
  page,
}) => {
  await page.clock.install({ time: new Date('2026-11-15T12:00:00Z') })
  await page.goto('/')
  await expect(broadcast(page).getByText('Tayang', { exact: true })).toHaveCount(3)
  const before = await broadcast(page).textContent()
  await page.clock.runFor(5000)
  expect(await broadcast(page).textContent()).toBe(before)

  await codeIsHere(page)
  const ways = await watchScrolling(page)
  await page.getByRole('link', { name: 'Lihat Paket & Harga' }).click()
  await expect(page.getByRole('heading', { name: 'Paket & harga' })).toBeInViewport()
  expect(await ways()).toEqual(['auto'])
})

test('[LAND-01] the broadcast of the hero runs: its platforms turn on one after another, clock and line move', async ({
  page,
}) => {
  await page.clock.install({ time: new Date('2026-11-15T12:00:00Z') })
  await page.clock.pauseAt(new Date('2026-11-15T12:00:10Z'))
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/')
  const onAir = broadcast(page).getByText('Tayang', { exact: true })
  const line = (): Promise<string | null> =>
    broadcast(page).getByTestId('sparkline').locator('polyline').getAttribute('points')
  await expect(onAir).toHaveCount(1)
  // The code comes after the first frame, and the theme is marked once it runs.
  await page.clock.runFor(50)
  await expect(page.getByRole('radio', { name: 'Sistem' })).toBeChecked()
  await page.clock.runFor(2000)
  await expect(onAir).toHaveCount(2)
  await page.clock.runFor(2000)
  await expect(onAir).toHaveCount(3)
  await expect(broadcast(page).getByText('Antre')).toHaveCount(0)

  const clock = broadcast(page).getByText(/^316:\d\d:\d\d$/)
  await expect(clock).toHaveText('316:00:04')
  const lineBefore = await line()
  await page.clock.runFor(3000)
  await expect(clock).toHaveText('316:00:07')
  expect(await line()).not.toBe(lineBefore)
})

test('[LAND-04] [LAND-07] [META-07] settings name the brand everywhere, the length of the trial and the number of the chat', async ({
  page,
}) => {
  const other = await startSiarin({ env: { WHATSAPP_NUMBER, TRIAL_DAYS: '9', BRAND_NAME: BRAND } })
  try {
    await page.goto(other.url)
    await test.step('the brand', async () => {
      await expect(page).toHaveTitle(/^Ruang <b>Tayang<\/b> - /)
      await expect(page.getByRole('banner').getByRole('link', { name: BRAND })).toBeVisible()
      await expect(page.getByRole('main')).toContainText(`${BRAND} memutar video Anda`)
    })

    await test.step('each plan has a chat link whose text names it', async () => {
      for (const { name } of PLANS) {
        const chat = plan(page, name).locator('a[href^="https://wa.me/"]')
        await expect(chat).toBeVisible()
        await expect(chat).toHaveAttribute('target', '_blank')
        const address = new URL((await chat.getAttribute('href')) ?? '')
        expect(address.pathname).toBe(`/${WHATSAPP_NUMBER}`)
        expect(address.searchParams.get('text')).toContain(`paket ${name}`)
      }
    })

    await test.step("hero, plan and final call show the trial's length", async () => {
      await expect(page.getByRole('link', { name: 'Coba gratis 9 hari' })).toBeVisible()
      await expect(plan(page, 'Free Trial')).toContainText('untuk 9 hari')
      const finalCall = page.getByRole('region', { name: /begadang/ })
      for (const promise of ['Gratis 9 hari', 'tanpa kartu kredit', '5 menit', 'dukungan 24/7']) {
        await expect(finalCall).toContainText(promise)
      }
      await expect(page.locator('main')).not.toContainText(/\b(1|30) hari gratis|gratis selama (1|30) hari/i)
    })

    await test.step('the brand elsewhere', async () => {
      await page.goto(`${other.url}/register`)
      await expect(page).toHaveTitle(`${BRAND} - Register`)
      await expect(page.getByRole('main')).toContainText(`Buat akun ${BRAND}`)
      await expect(page.locator('html')).not.toContainText('Siarin')
    })
  } finally {
    await other.dispose()
  }
})
