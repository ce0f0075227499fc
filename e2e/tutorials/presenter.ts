import type { Locator, Page } from '@playwright/test'
import { alwaysOurTypeface } from '../support/typeface.ts'
import { type Film, type PosterAt, startFilm } from './film.ts'

/** Draws a pointer, its press, and the caption: a browser without a screen has none of them. */
const STAGE = `
  window.addEventListener('DOMContentLoaded', () => {
    const part = (css, html = '') => {
      const element = document.createElement('div')
      element.setAttribute('aria-hidden', 'true')
      element.style.cssText = 'position:fixed;z-index:2147483647;pointer-events:none;' + css
      element.innerHTML = html
      document.documentElement.append(element)
      return element
    }
    const caption = part(
      'left:50%;bottom:88px;transform:translateX(-50%);max-width:900px;padding:12px 22px;border-radius:14px;' +
      'background:#0d1b1a;color:#fff;font:600 20px/1.4 "Plus Jakarta Sans Variable",sans-serif;' +
      'box-shadow:0 12px 32px -8px rgb(0 0 0 / .45);opacity:0;transition:opacity .25s;text-align:center',
    )
    const pointer = part(
      'left:0;top:0;transform:translate(-100px,-100px)',
      '<svg width="26" height="30" viewBox="0 0 26 30"><path d="M3 2l19 12-8.5 1.6L19 26l-4.4 2-5.2-10.6L3 23z" fill="#111" stroke="#fff" stroke-width="2" stroke-linejoin="round"/></svg>',
    )
    const press = part(
      'left:-18px;top:-18px;width:36px;height:36px;border-radius:50%;border:3px solid #12a594;opacity:0;transition:opacity .35s,scale .35s',
    )
    window.addEventListener('mousemove', ({ clientX: x, clientY: y }) => {
      pointer.style.transform = 'translate(' + (x - 3) + 'px,' + (y - 2) + 'px)'
      press.style.translate = x + 'px ' + y + 'px'
    }, true)
    window.addEventListener('mousedown', () => {
      press.style.transition = 'none'
      press.style.opacity = '1'
      press.style.scale = '.4'
      requestAnimationFrame(() => {
        press.style.transition = 'opacity .35s,scale .35s'
        press.style.opacity = '0'
        press.style.scale = '1.2'
      })
    }, true)
    window.tutorialSay = (text) => {
      caption.textContent = text
      caption.style.opacity = text ? '1' : '0'
    }
    window.tutorialSay(sessionStorage.getItem('tutorial-caption') ?? '')
  })
`

const READ_MS = 1400
const MOVE_STEPS = 18

/** Somebody who shows how it is done: unhurried, with a word before each step. */
export async function startPresenting(page: Page, name: string) {
  await page.addInitScript(STAGE)
  await alwaysOurTypeface(page)
  let film: Film | null = null
  const pause = (ms: number): Promise<void> => page.waitForTimeout(ms)

  const pointAt = async (target: Locator): Promise<void> => {
    await target.scrollIntoViewIfNeeded()
    const box = await target.boundingBox()
    if (!box) throw new Error('There is nothing to point at.')
    await page.mouse.move(box.x + Math.min(box.width / 2, 160), box.y + box.height / 2, { steps: MOVE_STEPS })
    await pause(200)
  }

  return {
    pause,
    pointAt,
    /** The film begins here, once the first screen stands. */
    async begin(): Promise<void> {
      await page.mouse.move(640, 400)
      film = await startFilm(page, name)
      await pause(600)
    },
    async say(text: string): Promise<void> {
      film?.step(text)
      await page.evaluate(
        `sessionStorage.setItem('tutorial-caption', ${JSON.stringify(text)}); window.tutorialSay(${JSON.stringify(text)})`,
      )
      await pause(READ_MS)
    },
    /** What depends on the machine and not on the presenter. */
    async wait(waiting: () => Promise<unknown>): Promise<void> {
      await film?.shorten(waiting)
    },
    async click(target: Locator): Promise<void> {
      await pointAt(target)
      await page.mouse.down()
      await page.mouse.up()
      await pause(500)
    },
    async type(target: Locator, text: string): Promise<void> {
      await pointAt(target)
      await target.click()
      await target.pressSequentially(text, { delay: 30 })
      await pause(250)
    },
    async end(posterAt: PosterAt): Promise<void> {
      await pause(1200)
      await film?.end(posterAt)
    },
  }
}
