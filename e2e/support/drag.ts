import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** What presses, moves and lets go at a height: a mouse, or a finger. */
async function pointerOf(page: Page, x: number, touch: boolean) {
  if (!touch) {
    return {
      press: async (y: number) => {
        await page.mouse.move(x, y)
        await page.mouse.down()
      },
      move: (y: number) => page.mouse.move(x, y),
      release: () => page.mouse.up(),
    }
  }
  const session = await page.context().newCDPSession(page)
  const send = async (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number): Promise<void> => {
    await session.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x, y }] })
  }
  return {
    press: (y: number) => send('touchStart', y),
    move: (y: number) => send('touchMove', y),
    release: () => send('touchEnd'),
  }
}

/** By its handle, above another row. Each step is seen before the next: near an edge the page scrolls under the pointer meanwhile. */
export async function drag(page: Page, from: Locator, to: Locator, touch: boolean): Promise<void> {
  const box = async (row: Locator) =>
    (await row.getByTestId('drag-handle').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await from.evaluate((row) =>
    (row as unknown as { scrollIntoView(how: object): void }).scrollIntoView({ block: 'center' }),
  )
  const start = await box(from)
  const pointer = await pointerOf(page, start.x + start.width / 2, touch)
  await pointer.press(start.y + start.height / 2)
  await expect(from).toHaveCSS('opacity', '0.6')
  await expect(async () => {
    await pointer.move((await box(to)).y + 2)
    await expect(to).not.toHaveCSS('box-shadow', 'none', { timeout: 1000 })
  }).toPass()
  await pointer.release()
}
