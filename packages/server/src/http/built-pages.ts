import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuiltPage, PAGE_LIST_FILE, type PageSwitches, switchesKey } from '@siarin/contracts/prerendered'
import type { PublicSettings } from '@siarin/contracts/settings'
import { pageTemplate } from './page-template.ts'

export interface ServedPage {
  /** As the router has it. */
  readonly path: string
  readonly fill: (settings: PublicSettings) => string
}

export interface BuiltPages {
  /** The page at a path; null: there is none. */
  find(pathname: string): ServedPage | null
  readonly notFound: ServedPage
  /** The paths that search engines are told of. */
  readonly listed: readonly string[]
}

/** No page has a longer one. */
const LONGEST_PATH = 512

/** The page's router takes '/Login/' for '/login'. A path is a stranger's: a search for slashes at its end would begin at each of them. */
function routed(pathname: string): string | null {
  if (pathname.length > LONGEST_PATH) return null
  let end = pathname.length
  while (pathname[end - 1] === '/') end--
  return pathname.slice(0, end).toLowerCase() || '/'
}

/** '/fitur/analytics/:broadcastId' is the page of every broadcast. */
const patternOf = (path: string): RegExp => new RegExp(`^${path.toLowerCase().replaceAll(/\/:[^/]+/g, '/[^/]+')}$`)

/** The pages as the build left them; null where there is no build. */
export async function readBuiltPages(webRoot: string, switches: PageSwitches): Promise<BuiltPages | null> {
  const json = await readFile(join(webRoot, PAGE_LIST_FILE), 'utf8').catch(() => null)
  if (json === null) return null
  const list: readonly BuiltPage[] = JSON.parse(json)
  const pages = await Promise.all(
    list.map(async ({ path, files }): Promise<ServedPage> => {
      // As bytes: one letter that is not of Latin-1 makes V8 keep a text with two bytes for each letter. Few pages are filled, and those once.
      const html = await readFile(join(webRoot, files[switchesKey(switches)] ?? ''))
      return { path, fill: (settings) => pageTemplate(html.toString())(settings) }
    }),
  )
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const notFound = byPath.get('*')
  if (!notFound) throw new Error(`${PAGE_LIST_FILE} has no page for addresses that do not exist.`)
  byPath.delete('*')
  const withIds = pages.filter(({ path }) => path.includes('/:')).map((page) => ({ page, fits: patternOf(page.path) }))
  return {
    find(pathname) {
      const path = routed(pathname)
      if (path === null) return null
      return byPath.get(path) ?? withIds.find(({ fits }) => fits.test(path))?.page ?? null
    },
    notFound,
    listed: list.filter(({ listed }) => listed).map(({ path }) => path),
  }
}
