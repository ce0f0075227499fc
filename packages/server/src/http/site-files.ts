import type { PublicSettings } from '@siarin/contracts/settings'
import { escapeMarkup } from './page-template.ts'

/** Calls answer no search engine; what members see is marked in the pages themselves, which may be read for that. */
const NOT_FOR_ROBOTS = ['/auth/', '/fitur/video/', '/fitur/steam/', '/fitur/broadcast']

export const robotsText = (server: string): string =>
  [
    'User-agent: *',
    ...NOT_FOR_ROBOTS.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${oneLine(server)}/sitemap.xml`,
    '',
  ].join('\n')

/** Where a value must not begin a line of its own. */
const oneLine = (text: string): string => text.replace(/\s/g, '')

export const sitemapXml = (server: string, paths: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => `  <url><loc>${escapeMarkup(server + path)}</loc></url>`).join('\n')}
</urlset>
`

const icon = (name: string, size: number, purpose: 'any' | 'maskable') => ({
  src: `/icons/${name}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
})

/** With it a phone offers to put the page on its home screen, under the operator's brand. */
export const webManifest = ({ brand }: PublicSettings): object => ({
  id: '/',
  name: brand,
  short_name: brand,
  description: 'Siaran langsung nonstop dari video Anda.',
  lang: 'id',
  // Who is not logged in is led to Login from there.
  start_url: '/dashboard',
  scope: '/',
  display: 'standalone',
  background_color: '#f9f9fb',
  theme_color: '#0d3d38',
  icons: [
    icon('icon-192', 192, 'any'),
    icon('icon-512', 512, 'any'),
    icon('maskable-192', 192, 'maskable'),
    icon('maskable-512', 512, 'maskable'),
  ],
})
