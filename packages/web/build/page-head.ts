import { PAGE_TOKENS } from '@siarin/contracts/prerendered'
import type { Page } from '../src/app/prerender.tsx'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const property = (name: string, content: string): string => `<meta property="${name}" content="${escaped(content)}" />`
const named = (name: string, content: string): string => `<meta name="${name}" content="${escaped(content)}" />`

/** What search engines and chats read of a page; they run no script. */
export function pageHead(page: Page): string {
  const { brand, server } = PAGE_TOKENS
  const title = `${brand} - ${page.title}`
  const lines = [
    `<title>${escaped(title)}</title>`,
    named('description', page.description),
    ...(page.listed
      ? [`<link rel="canonical" href="${server}${page.path}" />`, property('og:url', server + page.path)]
      : [named('robots', 'noindex')]),
    property('og:type', page.kind),
    property('og:site_name', brand),
    property('og:locale', 'id_ID'),
    property('og:title', title),
    property('og:description', page.description),
    property('og:image', server + page.picture),
    property('og:image:type', 'image/png'),
    property('og:image:width', '1200'),
    property('og:image:height', '630'),
    property('og:image:alt', page.title),
    named('twitter:card', 'summary_large_image'),
  ]
  return lines.join('\n    ')
}
