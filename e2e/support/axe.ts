import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'

const BAD = ['serious', 'critical']

/** What moves has arrived, apart from what moves for ever: no colour is caught half way. */
const stillness = (page: Page): Promise<unknown> =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished),
    ).then(() => {}),
  )

type Rule = { id: string; impact: string; enabled: boolean; tags: string[] }

/** Those of the rules that are on whose answer can be bad: judging by the others would be thrown away. */
const BAD_RULES = (axe as unknown as { _audit: { rules: Rule[] } })._audit.rules
  .filter(({ enabled, tags, impact }) => enabled && !tags.includes('experimental') && BAD.includes(impact))
  .map(({ id }) => id)

/** The rules that judge by colours: with another theme only these can answer otherwise. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** The rules that judge by widths and heights: at another size they can answer otherwise about what has not changed. */
export const LAYOUT_RULES = ['scrollable-region-focusable']

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Reading it takes the page as long as judging does: once for each document. */
async function bringAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE)
}

/** In the page: how each element that is seen looks by itself, whatever its place. */
const LOOKS = `(() => {
  const looks = new Map()
  for (const element of document.querySelectorAll('body *')) {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const style = getComputedStyle(element)
    const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
    looks.set(element, [
      style.color, style.backgroundColor, style.backgroundImage, style.opacity, style.fontSize, style.fontWeight,
      style.position, style.clipPath, style.textDecorationLine,
      element.cloneNode(false).outerHTML, ...texts.map(({ nodeValue }) => nodeValue),
    ].join())
  }
  return looks
})()`

/** Keeps how the page looks now, under this name: `faults` can be asked about what is different afterwards. */
export async function keepLooks(page: Page, name: string): Promise<void> {
  await stillness(page)
  await page.evaluate(`(globalThis.keptLooks ??= {})[${JSON.stringify(name)}] = ${LOOKS}`)
}

/** In the page: the outermost elements that look otherwise than when this was kept, or were not seen then. */
const changedSince = (name: string): string => `(() => {
  const kept = globalThis.keptLooks[${JSON.stringify(name)}]
  const changed = new Set()
  for (const [element, look] of ${LOOKS}) {
    if (kept.get(element) !== look && !changed.has(element.parentElement?.closest('[data-look-changed]'))) {
      changed.add(element)
      element.setAttribute('data-look-changed', '')
    }
  }
  for (const element of changed) element.removeAttribute('data-look-changed')
  return [...changed]
})()`

type Asked = { rules?: readonly string[]; changedSince?: string }

/** 'color-contrast: .note > p': what axe finds bad on the page as it stands, or among what looks otherwise than before. */
export async function faults(page: Page, asked: Asked = {}): Promise<string[]> {
  await stillness(page)
  await bringAxe(page)
  const options: RunOptions = { resultTypes: ['violations'], runOnly: [...(asked.rules ?? BAD_RULES)] }
  const place = asked.changedSince === undefined ? '[document]' : changedSince(asked.changedSince)
  const violations: axe.Result[] = await page.evaluate(`(async () => {
    const include = ${place}
    return include.length === 0 ? [] : (await axe.run({ include }, ${JSON.stringify(options)})).violations
  })()`)
  return violations
    .filter(({ impact }) => BAD.includes(impact ?? ''))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)
}
