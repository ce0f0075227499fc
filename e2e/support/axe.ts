import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'
import { TEXTS_BY_LOOK } from './text-looks.ts'

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

/** The rules that judge by colours: with another theme only these can answer otherwise. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** Those of the other rules that are on whose answer can be bad: judging by the others would be thrown away. */
const MARKUP_RULES = (axe as unknown as { _audit: { rules: Rule[] } })._audit.rules
  .filter(({ enabled, tags, impact }) => enabled && !tags.includes('experimental') && BAD.includes(impact))
  .map(({ id }) => id)
  .filter((id) => !COLOUR_RULES.includes(id))

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Reading it takes the page as long as judging does: once for each document. */
async function bringAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => 'axe' in globalThis)) return
  await page.evaluate(`${SOURCE}; axe.configure({ noHtml: true })`)
}

async function judge(page: Page, rules: readonly string[]): Promise<axe.Result[]> {
  const options: RunOptions = { resultTypes: ['violations'], runOnly: [...rules] }
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`)
}

/** Looks that this worker has met, by rule: axe has passed a text of it, or could not tell about the one that was met. */
const met = Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { good: new Set<string>(), open: new Set<string>() }]))

type Judged = { violations: axe.Result[]; good: Record<string, string[]>; open: Record<string, string[]> }

/** In the page, where `known` and `texts` are: judges a text of each look that is not known to be good, and all of those that axe has not passed. */
const JUDGE_LOOKS = `
  const violations = [], good = {}, open = {}
  const asked = Object.entries(known).flatMap(([rule, { good, open }]) =>
    [...texts[rule]].filter(([look]) => !good.includes(look)).map(([look, alike]) => ({ rule, look, alike, whole: open.includes(look) })))
  const passed = Object.fromEntries(Object.keys(known).map((rule) => [rule, new Set()]))
  const run = async (include) => {
    if (include.length === 0) return
    // Without the selectors, which take longer to make than all else: those of what is bad are asked for.
    const options = { runOnly: Object.keys(known), resultTypes: ['violations', 'passes'], elementRef: true, selectors: false }
    const found = await axe.run({ include }, options)
    for (const { id, nodes } of found.passes) for (const { element } of nodes) passed[id].add(element)
    const bad = found.violations.flatMap(({ nodes }) => nodes.map(({ element }) => element))
    if (bad.length > 0) violations.push(...(await axe.run({ include: bad }, { runOnly: Object.keys(known) })).violations)
  }
  await run(asked.flatMap(({ alike, whole }) => (whole ? alike : alike.slice(0, 1))))
  const undecided = asked.filter(({ rule, alike, whole }) => !whole && !passed[rule].has(alike[0]))
  await run(undecided.flatMap(({ alike }) => alike.slice(1)))
  for (const { rule, look, alike } of asked) {
    const into = alike.some((element) => passed[rule].has(element)) ? good : open
    into[rule] = [...(into[rule] ?? []), look]
  }
  return { violations, good, open }`

/**
 * Texts that look alike, on what looks alike, stand out as much: a worker judges each look once, wherever it meets it. A look is good only
 * once axe has passed a text of it.
 */
async function judgeColours(page: Page): Promise<axe.Result[]> {
  const known = Object.entries(met).map(([rule, { good, open }]) => [rule, { good: [...good], open: [...open] }])
  const { violations, ...looks }: Judged = await page.evaluate(`(async () => {
    const known = ${JSON.stringify(Object.fromEntries(known))}
    const texts = ${TEXTS_BY_LOOK}
    ${JUDGE_LOOKS}
  })()`)
  for (const [rule, { good, open }] of Object.entries(met)) {
    for (const look of looks.good[rule] ?? []) good.add(look)
    for (const look of looks.open[rule] ?? []) open.add(look)
  }
  return violations
}

/** 'color-contrast: .note > p', each rule once. */
function words(violations: readonly axe.Result[]): string[] {
  const places = new Map<string, string[]>()
  for (const { id, impact, nodes } of violations) {
    if (!BAD.includes(impact ?? '')) continue
    places.set(id, [...(places.get(id) ?? []), ...nodes.map(({ target }) => target.join(' '))])
  }
  return [...places].map(([id, targets]) => `${id}: ${targets.join(' | ')}`)
}

/** What axe finds bad on the page as it stands. */
export async function faults(page: Page): Promise<string[]> {
  await stillness(page)
  await bringAxe(page)
  return words([...(await judgeColours(page)), ...(await judge(page, MARKUP_RULES))])
}

/** The same, and every text is judged by axe, whether such a one was met before or not. */
export async function allFaults(page: Page): Promise<string[]> {
  await stillness(page)
  await bringAxe(page)
  return words(await judge(page, [...COLOUR_RULES, ...MARKUP_RULES]))
}

/** After a change of the theme alone. */
export async function faultsOfTheme(page: Page): Promise<string[]> {
  await stillness(page)
  await bringAxe(page)
  return words(await judgeColours(page))
}
