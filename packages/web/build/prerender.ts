import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuiltPage, PAGE_LIST_FILE, type PageSwitches, switchesKey } from '@siarin/contracts/prerendered'
import { build, type Plugin, type Rolldown } from 'vite'
import type { Page, renderPage, unknownSettings } from '../src/app/prerender.tsx'
import { pageHead } from './page-head.ts'

const ENTRY = 'src/app/prerender.tsx'
const SCRATCH = '.cache/prerender'
const EMPTY_ROOT = '<div id="root"></div>'
const OWN_HEAD = /<title>.*<\/title>\s*<meta name="description"[^>]*>/

interface Renderer {
  PAGES: readonly Page[]
  renderPage: typeof renderPage
  unknownSettings: typeof unknownSettings
}

const SWITCHES: readonly PageSwitches[] = [
  { sendsMail: false, hasChat: false },
  { sendsMail: false, hasChat: true },
  { sendsMail: true, hasChat: false },
  { sendsMail: true, hasChat: true },
]

/** The same code as the browser's, built for Node. */
async function loadRenderer(root: string): Promise<Renderer> {
  const outDir = join(root, SCRATCH)
  await build({ root, logLevel: 'warn', build: { ssr: ENTRY, outDir, emptyOutDir: true, copyPublicDir: false } })
  return await import(pathToFileURL(join(outDir, 'prerender.js')).href)
}

type Bundle = Rolldown.OutputBundle

/** The files that a page's modules come in, with all that these import. */
function filesOf(modules: readonly string[], bundle: Bundle): { scripts: string[]; styles: string[] } {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  const add = (fileName: string): void => {
    const chunk = bundle[fileName]
    if (chunk?.type !== 'chunk' || scripts.has(fileName)) return
    scripts.add(fileName)
    for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style)
    chunk.imports.forEach(add)
  }
  for (const module of modules) {
    const chunk = Object.values(bundle).find(
      (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(`/web/src/${module}`),
    )
    if (!chunk) throw new Error(`${module} is no part of its own any more: prerender.tsx names it for nothing.`)
    add(chunk.fileName)
  }
  return { scripts: [...scripts], styles: [...styles] }
}

/** Without these the browser would learn of a screen's code only when the entry runs, and of its styles after the first paint. */
function links(modules: readonly string[], template: string, bundle: Bundle): string {
  const { scripts, styles } = filesOf(modules, bundle)
  const missing = (file: string): boolean => !template.includes(`"/${file}"`)
  return [
    ...styles.filter(missing).map((file) => `<link rel="stylesheet" crossorigin href="/${file}" />`),
    ...scripts.filter(missing).map((file) => `<link rel="modulepreload" crossorigin href="/${file}" />`),
  ].join('\n    ')
}

const fileName = (path: string): string =>
  path.slice(1).replaceAll(/[/:]+/g, '-') || (path === '*' ? 'not-found' : 'home')

const CODE = /\s*<(?:script type="module"[^>]*><\/script>|link rel="modulepreload"[^>]*>)/g

/** The text stands in the HTML: it is shown first, and before-first-paint.js takes the code out of its template after that. */
function codeLater(html: string): string {
  const code = html.match(CODE)?.map((tag) => tag.trim()) ?? []
  return html.replace(CODE, '').replace('</head>', () => `<template id="code">${code.join('')}</template></head>`)
}

/** Each page once for each way in which the settings change it; ways that look alike share a file. */
async function makePage(page: Page, template: string, bundle: Bundle, { renderPage, unknownSettings }: Renderer) {
  const head = pageHead(page)
  const fetched = links(page.modules ?? [], template, bundle)
  const made = new Map<string, string>()
  const files: Record<string, string> = {}
  for (const switches of SWITCHES) {
    const content = page.modules ? await renderPage(page.path, unknownSettings(switches)) : ''
    const root = `<div id="root"${content && page.guestsOnly ? ' data-guests' : ''}>${content}</div>`
    const html = template
      .replace(OWN_HEAD, () => head)
      // Behind the typeface and the styles that every page has: those come first.
      .replace('</head>', () => `${fetched}</head>`)
      .replace(EMPTY_ROOT, () => root)
    const sent = content ? codeLater(html) : html
    const file = made.get(sent) ?? `pages/${fileName(page.path)}${made.size > 0 ? `.${made.size}` : ''}.html`
    made.set(sent, file)
    files[switchesKey(switches)] = file
  }
  return { built: { path: page.path, listed: page.listed, files } satisfies BuiltPage, made }
}

/** Makes HTML of every page: text, title and picture are there before any script runs, and for those who run none. */
export function prerender(): Plugin {
  let root = ''
  return {
    name: 'siarin-prerender',
    apply: 'build',
    configResolved(config) {
      root = config.root
    },
    async writeBundle({ dir = '' }, bundle) {
      const index = bundle['index.html']
      const template = index?.type === 'asset' ? String(index.source) : ''
      if (!template.includes(EMPTY_ROOT) || !OWN_HEAD.test(template)) throw new Error('index.html has another shape.')
      const renderer = await loadRenderer(root)
      await mkdir(join(dir, 'pages'), { recursive: true })
      const list: BuiltPage[] = []
      for (const page of renderer.PAGES) {
        const { built, made } = await makePage(page, template, bundle, renderer)
        for (const [html, file] of made) await writeFile(join(dir, file), html)
        list.push(built)
      }
      await writeFile(join(dir, PAGE_LIST_FILE), JSON.stringify(list))
      await rm(join(root, SCRATCH), { recursive: true })
    },
  }
}
